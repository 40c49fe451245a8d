/* Texts that are no HLO but something near it. */
#ifndef PARSER_FOREIGN_H
#define PARSER_FOREIGN_H

#include "base/diag.h"

/* Reports a text that is StableHLO, a proto, JSON ... and how to obtain HLO text. False: it may be HLO. */
bool foreign_report(Source *source, Diags *diags);

#endif
