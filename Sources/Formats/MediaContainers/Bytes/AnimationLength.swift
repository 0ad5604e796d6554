package import MediaModel

/// The number of pictures in an animation and the duration of one loop.
package struct AnimationLength {
  /// The number of pictures.
  package private(set) var frameCount = 0

  /// Creates the length of an animation without pictures.
  package init() {}
  private var milliseconds = 0

  /// Adds one picture that is shown for `duration` milliseconds.
  package mutating func add(milliseconds duration: Int = 0) {
    frameCount += 1
    // The sum cannot overflow: a file states at most a few minutes per picture, and only so many
    // pictures fit in a file.
    milliseconds += duration
  }

  /// Writes the count and the duration to `facts`; a single picture is not an animation.
  package func write(to facts: inout Facts) {
    guard frameCount > 1 else { return }
    facts.frameCount = frameCount
    facts.durationMilliseconds = milliseconds
  }
}
