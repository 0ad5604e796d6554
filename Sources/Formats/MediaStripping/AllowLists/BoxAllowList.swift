import MediaContainers

/// The boxes of an ISO base media file that a stripped output may have; every other box is removed.
///
/// The writers, the inspectors and the verification use the same list, and docs/metadata.md names
/// every box in it.
struct BoxAllowList: Sendable {
  /// The origin of a box's bytes in an output.
  enum Rule: Sendable {
    /// The bytes of the source, when there are as many as this.
    case copied(ClosedRange<Int>)
    /// Bytes that are written from fields of the source; for a box that is a key of ``rules``, its
    /// allowed children.
    case rewritten
    /// Bytes that are written from values that `except` keeps.
    case excepted
  }

  /// The rule of each child by its parent; the parent of a file's boxes is `file`, that of the boxes
  /// of a sample entry is `entry`, or `sound` in a movie's track of sound.
  let rules: [FourCharacterCode: [FourCharacterCode: Rule]]

  init(_ rules: [FourCharacterCode: [FourCharacterCode: Rule]]) {
    self.rules = rules
  }

  /// The number of bytes ahead of the children.
  private static let heads: [FourCharacterCode: Int] = [
    "meta": 4, "iinf": 6, "iref": 4, "dref": 8, "stsd": 8,
  ]

  /// Returns whether an output may have such a box in such a parent.
  func allows(_ type: FourCharacterCode, in parent: FourCharacterCode) -> Bool {
    rules[parent]?[type] != nil
  }

  /// Compares a box of an output, and all boxes in it, with the list.
  ///
  /// - Throws: `residue` naming the first box that is not allowed; `damaged` when boxes do not fill
  ///   their parent.
  func verify(
    _ box: ISOBox,
    in parent: FourCharacterCode = "file",
    isAudio: Bool = false,
    of output: ByteSource
  ) throws(MetadataError) {
    let refused = MetadataError(.residue, "\(box.type.displayName) in \(parent.displayName)")
    guard let rule = rules[parent]?[box.type] else { throw refused }
    if case .copied(let lengths) = rule, !lengths.contains(box.body.count) { throw refused }
    guard case .rewritten = rule else { return }
    guard rules[box.type] != nil else { return }
    let isAudio = isAudio || box.type == "trak" && ISOTrack.handler(of: box, in: output) == "soun"
    for child in try box.children(in: output, after: Self.heads[box.type] ?? 0) {
      try verify(child, in: box.type, isAudio: isAudio, of: output)
      guard box.type == "stsd" else { continue }
      let isVersionOne = output.byte(at: box.body.lowerBound) == 1
      let head = ISOSampleEntry.headLength(of: child, isAudio, isVersionOne, in: output)
      for part in try child.children(in: output, after: head) {
        try verify(part, in: isAudio ? "sound" : "entry", of: output)
      }
    }
  }
}
