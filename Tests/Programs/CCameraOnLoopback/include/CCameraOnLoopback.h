#pragma once
// The programs of tests are linked with this target's object, see loopback.c. Nothing calls it by this header.
