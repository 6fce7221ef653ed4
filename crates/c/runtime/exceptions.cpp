/* What the compiler calls for throw, catch, new, delete, static objects and pure virtual functions (Itanium C++ ABI), and the types by
   which handlers are chosen. The way up the stack is in unwind.c. */
#include <new>
#include <exception>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <dfheiblk.h>
#include "runtime.h"
#include "unwind.h"

/* --- types: the layouts are the compiler's --- */

namespace std {
class type_info {
public:
    virtual ~type_info();
    /* Whether an object of the type `thrown` goes to a handler of this type; `object` becomes what the handler sees. */
    virtual bool catches(const type_info *thrown, void **object, bool through_pointer) const;
    /* The part of an object of this class that is a `base`: how many ways lead to it. */
    virtual int part(const type_info *base, char **object, bool is_public) const;
    bool same(const type_info *other) const { return name == other->name || strcmp(name, other->name) == 0; }
    const char *name;
};
type_info::~type_info() {}
bool type_info::catches(const type_info *thrown, void **, bool) const { return same(thrown); }
int type_info::part(const type_info *base, char **, bool is_public) const { return is_public && same(base); }
}

namespace __cxxabiv1 {
using std::type_info;
class __fundamental_type_info : public type_info { public: virtual ~__fundamental_type_info(); };
class __array_type_info : public type_info { public: virtual ~__array_type_info(); };
class __function_type_info : public type_info { public: virtual ~__function_type_info(); };
class __enum_type_info : public type_info { public: virtual ~__enum_type_info(); };
class __class_type_info : public type_info {
public:
    virtual ~__class_type_info();
    virtual bool catches(const type_info *thrown, void **object, bool through_pointer) const;
};
class __si_class_type_info : public __class_type_info {
public:
    virtual ~__si_class_type_info();
    virtual int part(const type_info *base, char **object, bool is_public) const;
    const __class_type_info *base;
};
class __vmi_class_type_info : public __class_type_info {
public:
    virtual ~__vmi_class_type_info();
    virtual int part(const type_info *base, char **object, bool is_public) const;
    unsigned flags, count;
    struct { const __class_type_info *type; long offset_flags; } bases[1];
};
class __pbase_type_info : public type_info { public: virtual ~__pbase_type_info(); unsigned flags; const type_info *pointee; };
class __pointer_type_info : public __pbase_type_info {
public:
    virtual ~__pointer_type_info();
    virtual bool catches(const type_info *thrown, void **object, bool through_pointer) const;
};
class __pointer_to_member_type_info : public __pbase_type_info {
public:
    virtual ~__pointer_to_member_type_info();
    const __class_type_info *of;
};

__fundamental_type_info::~__fundamental_type_info() {}
__array_type_info::~__array_type_info() {}
__function_type_info::~__function_type_info() {}
__enum_type_info::~__enum_type_info() {}
__class_type_info::~__class_type_info() {}
__si_class_type_info::~__si_class_type_info() {}
__vmi_class_type_info::~__vmi_class_type_info() {}
__pbase_type_info::~__pbase_type_info() {}
__pointer_type_info::~__pointer_type_info() {}
__pointer_to_member_type_info::~__pointer_to_member_type_info() {}

bool __class_type_info::catches(const type_info *thrown, void **object, bool) const {
    if (same(thrown)) return true;
    char *found = (char *)*object;
    if (thrown->part(this, &found, true) != 1) return false;
    *object = found;
    return true;
}

int __si_class_type_info::part(const type_info *wanted, char **object, bool is_public) const {
    return same(wanted) ? is_public : base->part(wanted, object, is_public);
}

enum { BASE_VIRTUAL = 1, BASE_PUBLIC = 2, BASE_OFFSET = 8 };

int __vmi_class_type_info::part(const type_info *wanted, char **object, bool is_public) const {
    if (same(wanted)) return is_public;
    int ways = 0;
    char *whole = *object, *found = 0;
    for (unsigned at = 0; at < count; at++) {
        long offset = bases[at].offset_flags >> BASE_OFFSET;
        if (whole != 0 && bases[at].offset_flags & BASE_VIRTUAL) offset = *(const long *)(*(const char **)whole + offset);
        char *base = whole == 0 ? 0 : whole + offset;
        int more = bases[at].type->part(wanted, &base, is_public && bases[at].offset_flags & BASE_PUBLIC);
        if (more == 0 || (ways == 1 && base == found && base != 0)) continue;
        ways += more;
        found = base;
    }
    if (ways == 1) *object = found;
    return ways;
}

enum { POINTS_TO_CONST = 1, POINTS_TO_VOLATILE = 2 };

/* A pointer goes to a handler of a pointer to the same type, to one of its public bases or to void, with no less const and volatile. */
bool __pointer_type_info::catches(const type_info *thrown, void **object, bool through_pointer) const {
    if (thrown->name[0] == 0x2A) return false;
    if (*(void *const *)thrown != *(void *const *)this) return false;
    const __pointer_type_info *other = static_cast<const __pointer_type_info *>(thrown);
    if (other->flags & ~flags & (POINTS_TO_CONST | POINTS_TO_VOLATILE)) return false;
    void *target = through_pointer ? 0 : *(void **)*object;
    bool is_void = pointee->name[0] == 0x76 && pointee->name[1] == 0;
    bool agrees = is_void || pointee->same(other->pointee) || (!through_pointer && pointee->catches(other->pointee, &target, true));
    if (agrees && !through_pointer) *object = target;
    return agrees;
}
}

extern "C" int regent_catches(const void *handler, const void *thrown, void **object) {
    const std::type_info *wanted = (const std::type_info *)handler;
    return wanted->catches((const std::type_info *)thrown, object, false);
}

/* --- throw and catch --- */

static regent_exception *caught;
static unsigned uncaught_count;

namespace std {
static terminate_handler on_terminate;
terminate_handler set_terminate(terminate_handler handler) noexcept {
    terminate_handler before = on_terminate;
    on_terminate = handler;
    return before;
}
void terminate() noexcept {
    if (on_terminate != 0) on_terminate();
    fflush(NULL);
    regent_give_up("terminate was called");
    regent_leave(1);
}
bool uncaught_exception() noexcept { return uncaught_count > 0; }
int uncaught_exceptions() noexcept { return (int)uncaught_count; }
exception::~exception() noexcept {}
const char *exception::what() const noexcept { return "std::exception"; }
bad_exception::~bad_exception() noexcept {}
const char *bad_exception::what() const noexcept { return "std::bad_exception"; }
bad_alloc::~bad_alloc() noexcept {}
const char *bad_alloc::what() const noexcept { return "std::bad_alloc"; }
const nothrow_t nothrow = nothrow_t();
}

/* A letter of a type's name, which the compiler writes in ASCII, in the code page of the program. */
static char from_ascii(char letter) {
    static const char digits[] = "0123456789", capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", smalls[] = "abcdefghijklmnopqrstuvwxyz";
    if (letter >= 0x30 && letter < 0x3A) return digits[letter - 0x30];
    if (letter >= 0x41 && letter < 0x5B) return capitals[letter - 0x41];
    if (letter >= 0x61 && letter < 0x7B) return smalls[letter - 0x61];
    return '_';
}

DFHEIBLK *dfheiptr;

extern "C" {
void regent_uncaught(regent_exception *exception) {
    if (std::on_terminate != 0) std::on_terminate();
    const char *name = ((const std::type_info *)exception->type)->name;
    char text[128] = "an exception is thrown that no catch takes: ", *at = text + strlen(text);
    for (; *name != 0 && at < text + sizeof text - 1; name++) *at++ = from_ascii(*name);
    *at = '\0';
    fflush(NULL);
    regent_give_up(text);
    regent_leave(1);
}

void *__cxa_allocate_exception(size_t size) noexcept {
    regent_exception *exception = (regent_exception *)malloc(sizeof(regent_exception) + size);
    if (exception == 0) {
        regent_give_up("there is no storage for an exception");
        regent_leave(1);
    }
    memset(exception, 0, sizeof *exception);
    return exception + 1;
}

void __cxa_free_exception(void *object) noexcept { free((regent_exception *)object - 1); }

void regent_cxa_throw(void *object, const void *type, void (*destructor)(void *), regent_registers *registers) {
    regent_exception *exception = (regent_exception *)object - 1;
    exception->type = type;
    exception->destructor = destructor;
    uncaught_count++;
    regent_throw(exception, registers);
}

void regent_cxa_resume(regent_exception *exception, const void *, void *, regent_registers *registers) { regent_unwind(exception, registers); }

void regent_cxa_rethrow(void *, const void *, void *, regent_registers *registers) {
    if (caught == 0) std::terminate();
    caught->is_rethrown = 1;
    uncaught_count++;
    regent_throw(caught, registers);
}

void *__cxa_get_exception_ptr(regent_exception *exception) noexcept { return exception->adjusted; }

void *__cxa_begin_catch(regent_exception *exception) noexcept {
    if (uncaught_count > 0) uncaught_count--;
    exception->is_rethrown = 0;
    if (exception->handlers++ == 0) {
        exception->outer = caught;
        caught = exception;
    }
    return exception->adjusted;
}

void __cxa_end_catch() {
    regent_exception *exception = caught;
    if (exception == 0 || --exception->handlers > 0) return;
    caught = exception->outer;
    /* Another handler is on its way to take it. */
    if (exception->is_rethrown) return;
    if (exception->destructor != 0) exception->destructor(exception + 1);
    free(exception);
}

void __cxa_call_unexpected(void *) { std::terminate(); }
void __cxa_bad_cast() { std::terminate(); }
void __cxa_throw_bad_array_new_length() { throw std::bad_alloc(); }
/* Frames name it as the function that reads their tables; unwind.c reads them itself. */
void __gxx_personality_v0() { std::terminate(); }
void __cxa_pure_virtual() {
    regent_give_up("a pure virtual function was called");
    regent_leave(1);
}
void __cxa_deleted_virtual() { __cxa_pure_virtual(); }

/* --- static objects --- */

struct destruction { void (*function)(void *); void *object; destruction *before; };
static destruction *last_destruction;
void *__dso_handle;

int __cxa_atexit(void (*function)(void *), void *object, void *) {
    destruction *next = (destruction *)malloc(sizeof *next);
    if (next == 0) return -1;
    next->function = function;
    next->object = object;
    next->before = last_destruction;
    last_destruction = next;
    return 0;
}

static void destroy_statics() {
    while (last_destruction != 0) {
        destruction *next = last_destruction;
        last_destruction = next->before;
        next->function(next->object);
        free(next);
    }
}

extern void (*const regent_constructors[])(), (*const regent_constructors_end[])();

void regent_construct() {
    atexit(destroy_statics);
    for (void (*const *constructor)() = regent_constructors; constructor < regent_constructors_end; constructor++) (*constructor)();
}
}

/* --- storage --- */

void *operator new(size_t bytes) {
    void *area = malloc(bytes == 0 ? 1 : bytes);
    if (area == 0) throw std::bad_alloc();
    return area;
}
void *operator new[](size_t bytes) { return operator new(bytes); }
void *operator new(size_t bytes, const std::nothrow_t &) noexcept { return malloc(bytes == 0 ? 1 : bytes); }
void *operator new[](size_t bytes, const std::nothrow_t &) noexcept { return malloc(bytes == 0 ? 1 : bytes); }
void operator delete(void *area) noexcept { free(area); }
void operator delete[](void *area) noexcept { free(area); }
void operator delete(void *area, size_t) noexcept { free(area); }
void operator delete[](void *area, size_t) noexcept { free(area); }
void operator delete(void *area, const std::nothrow_t &) noexcept { free(area); }
void operator delete[](void *area, const std::nothrow_t &) noexcept { free(area); }
