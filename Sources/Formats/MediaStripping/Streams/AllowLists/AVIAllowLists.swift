import MediaContainers

/// The chunks of an AVI, by the list around them.
///
/// Source: Microsoft, AVI RIFF File Reference; OpenDML AVI File Format Extensions 1.02.
enum AVIAllowList {
  private typealias Part = AllowList<FourCharacterCode>.Part

  /// The chunks and lists of a RIFF chunk.
  static let file = AllowList<FourCharacterCode>([
    Part("hdrl", .rewritten, "a list: the headers"),
    Part("INFO", .excepted, "a list: texts", 4...1 << 16),
    Part("movi", .copied, "a list: the data of kept streams"),
    Part("idx1", .rewritten, "an index, made from the output", 16...Int.max, step: 16),
  ])

  /// The headers.
  static let headers = AllowList<FourCharacterCode>([
    Part("avih", .rewritten, "sizes, counts, time of a frame; two flags", 56...56),
    Part("strl", .rewritten, "a list: a stream", isRepeated: true),
    Part("odml", .rewritten, "a list: the total number of frames"),
  ])

  /// The headers of a stream.
  static let stream = AllowList<FourCharacterCode>([
    Part("strh", .rewritten, "rate, length, sizes; no language, no quality", 56...56),
    Part("strf", .rewritten, "a known codec and what its decoder needs", 16...1 << 17),
    Part("vprp", .rewritten, "the ratio and the shape of the picture", 68...100, step: 4),
    Part("indx", .rewritten, "where its indexes are", 40...1 << 20, step: 8),
  ])

  /// All lists, for the documentation.
  static let all: [(parent: String, list: AllowList<FourCharacterCode>)] = [
    ("RIFF", file), ("hdrl", headers), ("strl", stream),
  ]
}
