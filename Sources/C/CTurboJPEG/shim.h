#ifndef CTURBOJPEG_SHIM_H
#define CTURBOJPEG_SHIM_H

#define _GNU_SOURCE 1

#include <turbojpeg.h>

#endif
