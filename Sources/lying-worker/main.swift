internal import Glibc

// A worker of the tests that says what no honest worker says. It does not confine itself: what the
// coordinator's layers leave it is all that it has.
exit(Liar().run())
