/* SPDX-License-Identifier: MIT */
/*
 * Every function of the stable ABI under HIP's own name, for probes and look-ups by name, and
 * under the name that hipshim's headers give it, so that a program links with this library alone.
 * Both are a jump through the table of libhipshim's functions.  A reference by name would find
 * this library's own function again.
 */
#include "forward.h"

#if defined(__x86_64__)
.macro jump_to table, number
#ifdef __CET__
	endbr64
#endif
	movq	\table@GOTPCREL(%rip), %r11
	movq	(%r11), %r11
	jmp	*(8 * \number)(%r11)
.endm
#elif defined(__aarch64__)
.macro jump_to table, number
	hint	#34 /* bti c */
	adrp	x16, :got:\table
	ldr	x16, [x16, #:got_lo12:\table]
	ldr	x16, [x16]
	ldr	x16, [x16, #(8 * \number)]
	br	x16
.endm
#else
#error "configure must not build libhipshim-rocm for this machine"
#endif

.set	function_number, 0
.macro forward name, table
	.globl	\name, hipshim_\name
	.type	\name, %function
	.type	hipshim_\name, %function
	.balign	16
\name:
hipshim_\name:
	jump_to	\table, function_number
	.size	\name, . - \name
	.size	hipshim_\name, . - hipshim_\name
	.set	function_number, function_number + 1
.endm

	.text
#define HS_FORWARD(name) forward name, HS_FORWARD_TABLE
#include "forward.h"
#undef HS_FORWARD

/* What HIP compilers call, in a table of its own: no release declares these functions. */
.set	function_number, 0
#define HS_FORWARD(name) forward name, hs_forward_emitted
#include "hip/registration_emitted.h"
#undef HS_FORWARD

/* The forms of HIP 5, under both names that HIP 6 has for them. */
.macro older name
	.globl	\name, \name\()R0000
	.type	\name, %function
	.type	\name\()R0000, %function
	.balign	16
\name:
\name\()R0000:
	jump_to	hs_forward_older, function_number
	.size	\name, . - \name
	.size	\name\()R0000, . - \name\()R0000
	.set	function_number, function_number + 1
.endm
.set	function_number, 0
older	hipChooseDevice
older	hipGetDeviceProperties

	.section .note.GNU-stack, "", %progbits
