/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vectors_list.h
 *		The subjects of test vectors: vectors_<name>.c has vector_kinds_<name>, the kinds of one.
 *
 * To add a kind is a line in its subject's array; to add a subject is its file and a line here.
 * Included several times, with VECTOR_SUBJECT(name) defined.
 */
VECTOR_SUBJECT(brdp)
VECTOR_SUBJECT(bayes)
VECTOR_SUBJECT(regression)
VECTOR_SUBJECT(pufferfish)
VECTOR_SUBJECT(release)
VECTOR_SUBJECT(topk)
VECTOR_SUBJECT(order)
VECTOR_SUBJECT(derive)
