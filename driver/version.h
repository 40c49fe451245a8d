#ifndef DRIVER_VERSION_H
#define DRIVER_VERSION_H

#define HLOCC_VERSION "0.1.0"

#endif
