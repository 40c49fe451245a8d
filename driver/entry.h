/* --entry: another computation as the program. */
#ifndef DRIVER_ENTRY_H
#define DRIVER_ENTRY_H

#include "ir/hlo.h"

/* Makes the computation of that name the module's entry. The interface then has the layouts of its parameter and root
 * shapes; what the header said of the old entry (aliases, donors, layouts) no longer holds. An unknown name is an error
 * in diags. */
bool module_choose_entry(Module *module, const char *name, Diags *diags);

#endif
