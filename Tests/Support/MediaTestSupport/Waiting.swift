internal import Foundation
internal import Glibc

/// Waits until something is so, and looks about every millisecond; false when the time was up before.
package func waits(seconds: Double = 240, until isSo: () throws -> Bool) rethrows -> Bool {
  let limit = Date.now.addingTimeInterval(seconds)
  while try !isSo() {
    if Date.now > limit { return try isSo() }
    usleep(1000)
  }
  return true
}
