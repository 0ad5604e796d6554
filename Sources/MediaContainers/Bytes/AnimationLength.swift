package import MediaModel

/// How many pictures an animation has, and how long one round of it takes.
package struct AnimationLength {
  package private(set) var frameCount = 0

  package init() {}
  private var milliseconds = 0

  /// Counts one picture more, which is shown for so long.
  package mutating func add(milliseconds duration: Int = 0) {
    frameCount += 1
    // A file says at most some minutes a picture: the sum of all that fit in a file is far below.
    milliseconds += duration
  }

  /// Tells `facts`; one picture is no animation.
  package func write(to facts: inout Facts) {
    guard frameCount > 1 else { return }
    facts.frameCount = frameCount
    facts.durationMilliseconds = milliseconds
  }
}
