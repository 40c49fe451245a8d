/* Between lexer and grammar. */
#ifndef PARSER_TOKENS_H
#define PARSER_TOKENS_H

#include "parser/state.h"

union GRAMMAR_STYPE;

/* bison's yylex: the next token of the text, or one that an action put in. */
int grammar_lex(union GRAMMAR_STYPE *value, Span *span, Parser *p);

/* Passes over tokens up to one that surely begins something; Parser.cuts says how many computations end before it. */
void recover(Parser *p);

#endif
