import MediaTestSupport

/// A Matroska of two VP8 frames and two of Opus, as parts, written without the code under test.
enum TinyMatroska {
  /// An element: identifier, a length of eight bytes or of as few as it needs, and its data.
  static func element(_ identifier: Int, _ data: [UInt8], isLong: Bool = false) -> [UInt8] {
    var head: [UInt8] = []
    for shift in [24, 16, 8, 0] where identifier >> shift != 0 {
      head.append(UInt8(identifier >> shift & 0xFF))
    }
    if data.count < 127, !isLong { return head + [0x80 | UInt8(data.count)] + data }
    return head + [0x01] + big(data.count, 7) + data
  }

  static func element(_ identifier: Int, _ text: String) -> [UInt8] {
    element(identifier, Array(text.utf8))
  }

  /// An element of unknown length.
  static func open(_ identifier: Int, _ data: [UInt8]) -> [UInt8] {
    var head: [UInt8] = []
    for shift in [24, 16, 8, 0] where identifier >> shift != 0 {
      head.append(UInt8(identifier >> shift & 0xFF))
    }
    return head + [0x01] + [UInt8](repeating: 0xFF, count: 7) + data
  }

  static func header(_ type: String = "matroska") -> [UInt8] {
    element(
      0x1A45_DFA3,
      element(0x4286, [1]) + element(0x42F7, [1]) + element(0x42F2, [4]) + element(0x42F3, [8])
        + element(0x4282, type) + element(0x4287, [4]) + element(0x4285, [2])
    )
  }

  static func information(_ others: [UInt8] = []) -> [UInt8] {
    element(
      0x1549_A966,
      element(0x2AD7B1, [0x0F, 0x42, 0x40]) + element(0x4489, [0x42, 0xC8, 0, 0])
        + element(0x4D80, "") + element(0x5741, "") + others
    )
  }

  static func video(_ others: [UInt8] = [], settings: [UInt8] = [], codec: String = "V_VP8")
    -> [UInt8]
  {
    let size = element(0xB0, [64]) + element(0xBA, [48])
    return element(
      0xAE,
      element(0xD7, [1]) + element(0x73C5, [1]) + element(0x83, [1]) + element(0x86, codec)
        + element(0xE0, size + settings) + others
    )
  }

  static let opusHead: [UInt8] =
    Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0]

  static func sound(_ others: [UInt8] = [], codec: String = "A_OPUS", own: [UInt8] = opusHead)
    -> [UInt8]
  {
    element(
      0xAE,
      element(0xD7, [2]) + element(0x73C5, [2]) + element(0x83, [2]) + element(0x86, codec)
        + element(0x63A2, own) + element(0xE1, element(0x9F, [2])) + others
    )
  }

  static func block(_ track: UInt8, _ time: UInt8, _ frame: [UInt8], flags: UInt8 = 0x80)
    -> [UInt8]
  {
    element(0xA3, [0x80 | track, 0, time, flags] + frame)
  }

  static func group(_ track: UInt8, _ time: UInt8, _ frame: [UInt8], _ others: [UInt8] = [])
    -> [UInt8]
  {
    element(0xA0, element(0xA1, [0x80 | track, 0, time, 0] + frame) + others)
  }

  static let blocks =
    block(1, 0, [1, 2, 3]) + block(2, 0, [0xFC, 4]) + block(1, 40, [5, 6], flags: 0)
    + group(2, 20, [0xFC, 7], element(0x75A2, [0, 1]))

  static func cluster(_ blocks: [UInt8] = blocks, time: UInt8 = 0, isOpen: Bool = false) -> [UInt8] {
    let data = element(0xE7, [time]) + blocks
    return isOpen ? open(0x1F43_B675, data) : element(0x1F43_B675, data)
  }

  /// The whole file.
  static func file(
    _ header: [UInt8] = header(),
    information: [UInt8] = information(),
    tracks: [UInt8] = video() + sound(),
    clusters: [UInt8] = cluster(),
    others: [UInt8] = [],
    isOpen: Bool = false,
    after: [UInt8] = []
  ) -> [UInt8] {
    let body = information + element(0x1654_AE6B, tracks) + clusters + others
    return header + (isOpen ? open(0x1853_8067, body) : element(0x1853_8067, body)) + after
  }

  static func tag(_ name: String, _ text: [UInt8], targets: [UInt8] = []) -> [UInt8] {
    element(
      0x1254_C367,
      element(
        0x7373,
        element(0x63C0, targets)
          + element(0x67C8, element(0x45A3, name) + element(0x4487, text))
      )
    )
  }

  /// A file for each place where a text fits.
  static func slots(_ text: [UInt8]) -> [(name: String, bytes: [UInt8])] {
    let attached = element(0x61A7, element(0x466E, text) + element(0x465C, text))
    let chapter = element(0x45B9, element(0xB6, element(0x80, element(0x85, text))))
    var slots: [(name: String, bytes: [UInt8])] = []
    for (name, identifier) in [
      ("SegmentUUID", 0x73A4), ("SegmentFilename", 0x7384), ("PrevFilename", 0x3C83AB),
      ("NextFilename", 0x3E83BB), ("SegmentFamily", 0x4444), ("Title", 0x7BA9),
      ("MuxingApp", 0x4D80), ("WritingApp", 0x5741), ("Void", 0xEC), ("unknown", 0x4FFF),
    ] {
      slots.append(("Info/\(name)", file(information: information(element(identifier, text)))))
    }
    slots.append(("Info/DateUTC", file(information: information(element(0x4461, text.suffix(8))))))
    for (name, identifier) in [
      ("Name", 0x536E), ("Language", 0x22B59C), ("LanguageBCP47", 0x22B59D),
      ("CodecName", 0x258688), ("CodecSettings", 0x3A9697), ("CodecInfoURL", 0x3B4040),
      ("CodecPrivate", 0x63A2), ("TrackTranslate", 0x6624), ("Void", 0xEC), ("unknown", 0x4FFF),
    ] {
      slots.append(("TrackEntry/\(name)", file(tracks: video(element(identifier, text)) + sound())))
    }
    slots += [
      ("Video/unknown", file(tracks: video(settings: element(0x4FFF, text)) + sound())),
      (
        "Video/ProjectionPrivate",
        file(
          tracks: video(settings: element(0x7670, element(0x7671, [1]) + element(0x7672, text)))
            + sound()
        )
      ),
      ("CodecPrivate of Opus", file(tracks: video() + sound(own: opusHead + text))),
      (
        "subtitle track",
        file(
          tracks: video() + sound()
            + element(
              0xAE,
              element(0xD7, [3]) + element(0x83, [17]) + element(0x86, "S_TEXT/UTF8")
                + element(0x536E, text)
            ),
          clusters: cluster(blocks + group(3, 0, text))
        )
      ),
      ("block of no track", file(clusters: cluster(blocks + block(9, 0, text)))),
      ("Cluster/Void", file(clusters: cluster(element(0xEC, text) + blocks))),
      ("Cluster/unknown", file(clusters: cluster(blocks + element(0x4FFF, text)))),
      (
        "BlockGroup/BlockAdditions",
        file(
          clusters: cluster(
            blocks
              + group(1, 60, [8], element(0x75A1, element(0xA6, element(0xEE, [4]) + element(0xA5, text))))
          )
        )
      ),
      (
        "BlockGroup/unknown",
        file(clusters: cluster(blocks + group(1, 60, [8], element(0x4FFF, text))))
      ),
      ("Tags", file(others: tag("ARTIST", text))),
      ("Tags of a track", file(others: tag("TITLE", text, targets: element(0x63C5, [1])))),
      ("Attachments", file(others: element(0x1941_A469, attached))),
      ("Chapters", file(others: element(0x1043_A770, chapter))),
      ("Void", file(others: element(0xEC, text))),
      ("CRC-32", file(others: element(0xBF, text.suffix(4)))),
      ("unknown element", file(others: element(0x1B53_8667, text))),
      ("SeekHead", file(others: element(0x114D_9B74, element(0x4DBB, element(0x4FFF, text))))),
      ("Cues", file(others: element(0x1C53_BB6B, element(0xBB, element(0x4FFF, text))))),
      ("behind the segment", file(after: element(0xEC, text))),
      (
        "DocType extension",
        file(element(0x1A45_DFA3, Array(header().dropFirst(5)) + element(0x4281, text)))
      ),
    ]
    return slots
  }
}
