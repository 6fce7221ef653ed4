/* Linked behind all others: where the descriptions of frames and the constructors of static objects end. */
__asm__(
    ".section .eh_frame,\"a\",@progbits\n.p2align 2\n.long 0\n"
    ".section .init_array,\"aw\",@init_array\n.p2align 2\n.globl regent_constructors_end\n.hidden regent_constructors_end\nregent_constructors_end:\n"
    ".text\n");
