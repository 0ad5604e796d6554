internal import Glibc

// A test worker that sends answers that no honest worker sends. It does not confine itself: it has
// only the access that the coordinator's layers leave it.
exit(Liar().run())
