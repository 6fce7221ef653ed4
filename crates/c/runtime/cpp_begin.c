/* Linked before all others: where the descriptions of frames and the constructors of static objects begin. */
__asm__(
    ".section .eh_frame,\"a\",@progbits\n.p2align 2\n.globl regent_eh_frames\n.hidden regent_eh_frames\nregent_eh_frames:\n"
    ".section .init_array,\"aw\",@init_array\n.p2align 2\n.globl regent_constructors\n.hidden regent_constructors\nregent_constructors:\n"
    ".text\n");
