/* SPDX-License-Identifier: MIT */
/*
 * The resolvers: what a slot holds as long as its function is not known, and all the time if calls go
 * by their caller.  A resolver knows its number and nothing of its function's type, so it keeps every
 * register that can hold an argument, asks hs_dispatch_enter where the call ends, and jumps there.
 * The caller's return address and the arguments on the stack stay where they are.
 *
 * Resolvers in C, one for each type, were a quarter to a half of each library.
 */
#include "engine/resolvers.h"
#include "functions.h"

	.hidden	hs_dispatch_enter, hs_resolvers, hs_slots
	.globl	hs_resolvers, hs_slots
	.text

#if defined(__x86_64__)
#ifdef __CET__
#include <cet.h> /* _CET_ENDBR, and the note that the linker wants of every object */
#else
#define _CET_ENDBR
#endif

.macro keep move, register, offset
	\move	\register, \offset(%rsp)
.endm
.macro restore move, register, offset
	\move	\offset(%rsp), \register
.endm

/* Six integers, eight vectors (none is wider than 16 bytes), and how many of a list are vectors. */
.macro arguments each
	\each	movq, %rdi, 0
	\each	movq, %rsi, 8
	\each	movq, %rdx, 16
	\each	movq, %rcx, 24
	\each	movq, %r8, 32
	\each	movq, %r9, 40
	\each	movq, %rax, 48
	\each	movaps, %xmm0, 64
	\each	movaps, %xmm1, 80
	\each	movaps, %xmm2, 96
	\each	movaps, %xmm3, 112
	\each	movaps, %xmm4, 128
	\each	movaps, %xmm5, 144
	\each	movaps, %xmm6, 160
	\each	movaps, %xmm7, 176
.endm

	.type	resolve, %function
resolve:
	.cfi_startproc
	subq	$200, %rsp
	.cfi_adjust_cfa_offset 200
	arguments keep
	movl	%r11d, %edi
	movq	200(%rsp), %rsi
	call	hs_dispatch_enter
	movq	%rax, %r11
	arguments restore
	addq	$200, %rsp
	.cfi_adjust_cfa_offset -200
	jmp	*%r11
	.cfi_endproc
	.size	resolve, . - resolve

.macro resolver number
	_CET_ENDBR
	movl	$\number, %r11d
	jmp	resolve
.endm

#elif defined(__aarch64__)

/* Eight integers, the address of a structure's result, and eight vectors; `two` and `one` move them. */
.macro arguments two, one
	\two	x0, x1, [sp, #16]
	\two	x2, x3, [sp, #32]
	\two	x4, x5, [sp, #48]
	\two	x6, x7, [sp, #64]
	\one	x8, [sp, #80]
	\two	q0, q1, [sp, #96]
	\two	q2, q3, [sp, #128]
	\two	q4, q5, [sp, #160]
	\two	q6, q7, [sp, #192]
.endm

	.type	resolve, %function
resolve:
	.cfi_startproc
	stp	x29, x30, [sp, #-224]!
	.cfi_def_cfa_offset 224
	.cfi_offset x29, -224
	.cfi_offset x30, -216
	mov	x29, sp
	arguments stp, str
	mov	w0, w17
	mov	x1, x30
	bl	hs_dispatch_enter
	mov	x17, x0
	arguments ldp, ldr
	ldp	x29, x30, [sp], #224
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	br	x17
	.cfi_endproc
	.size	resolve, . - resolve

.macro resolver number
	hint	#34 /* bti c */
	mov	w17, #\number
	b	resolve
.endm

#else
#error "hipshim's resolvers know x86-64 and aarch64 only"
#endif

	.balign	HS_RESOLVER_SIZE
	.type	hs_resolvers, %function
hs_resolvers:
	.cfi_startproc
	.set	function_number, 0
	.rept	HS_FUNCTION_COUNT
	.balign	HS_RESOLVER_SIZE
	resolver function_number
	.set	function_number, function_number + 1
	.endr
	.cfi_endproc
	.size	hs_resolvers, . - hs_resolvers

	.data
	.balign	8
	.type	hs_slots, %object
hs_slots:
	.set	function_number, 0
	.rept	HS_FUNCTION_COUNT
	.quad	hs_resolvers + HS_RESOLVER_SIZE * function_number
	.set	function_number, function_number + 1
	.endr
	.size	hs_slots, . - hs_slots

#ifdef __ARM_FEATURE_BTI_DEFAULT /* the note that the linker wants of every object */
	.section .note.gnu.property, "a", %note
	.balign	8
	.long	4, 16, 5
	.asciz	"GNU"
	.long	0xc0000000, 4, 3, 0
#endif

	.section .note.GNU-stack, "", %progbits
