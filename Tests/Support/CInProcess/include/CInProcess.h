// Commands in the process of a test: while one is performed there, nothing confines this process, and the children of
// the program are threads of it. The linker puts these functions in the place of CSandbox's, in the tests alone
// (Package.swift, `inProcess`); while no command is performed they call what they stand for.
#ifndef CINPROCESS_H
#define CINPROCESS_H

/// Serves over a socket as a child of the program does, until its other end closes.
///
/// `name` is the only argument of a service, NULL for a worker. Returns the exit code, -1 for a service that has to be
/// a process.
typedef int (*cinprocess_serve)(const char *name, int socket);

/// Begins a command in this process. `program` is the file that takes the place of this one where the command starts
/// it anew; both stay the caller's.
void cinprocess_begin(const char *program, cinprocess_serve serve, int (*serves)(const char *name));
/// Ends it: from here on the functions are those of CSandbox.
void cinprocess_end(void);
/// A file in memory, for what a command writes to a stream.
int cinprocess_file(void);

#endif
