/// What a sequence parameter set says of the messages about buffering and picture timing.
///
/// Source: ITU-T H.264 sections D.1.2, D.1.3, E.1.2; ITU-T H.265 sections D.2.2, D.2.3, E.2.2.
package struct BufferTiming: Equatable {
  /// The number of buffers of the NAL and of the VCL model.
  var counts: [Int] = []
  /// The bits of an initial removal delay.
  var initialLength = 24
  /// The bits of a removal delay.
  var removalLength = 24
  /// The bits of an output delay.
  var outputLength = 24
  /// The bits of a time offset.
  var offsetLength = 24
  /// Whether picture timing says how to show a picture.
  var hasPictureStructure = false
  /// Whether pictures are buffered in parts, whose messages are not read.
  var hasParts = false
}
