package import MediaContainers

/// The known video codecs and the parsing that their samples need.
///
/// An unknown codec may carry arbitrary data, so its file is not stripped.
///
/// Source: mp4ra.org, sample entries; Apple, QuickTime File Format, video sample descriptions.
package enum ISOVideoCodec {
  /// The parsing that the samples of a codec need.
  package enum Kind {
    case avc, hevc, av1, mpeg4, mpeg2, jpeg, dv
    /// The samples have room for nothing but the picture.
    case plain
  }

  /// The kind of each known video sample entry.
  package static let kinds: [FourCharacterCode: Kind] = {
    var kinds: [FourCharacterCode: Kind] = [
      "avc1": .avc, "avc2": .avc, "avc3": .avc, "avc4": .avc, "dva1": .avc, "dvav": .avc,
      "hvc1": .hevc, "hev1": .hevc, "hvc2": .hevc, "hev2": .hevc, "dvh1": .hevc, "dvhe": .hevc,
      "av01": .av1, "dav1": .av1, "mp4v": .mpeg4, "jpeg": .jpeg,
    ]
    let plain: [FourCharacterCode] = [
      "vp08", "vp09", "s263", "h263", "H263", "d263",
      // The ProRes and DNxHD formats.
      "apch", "apcn", "apcs", "apco", "ap4h", "ap4x", "aprn", "aprh", "AVdn", "AVdh",
      // The uncompressed formats.
      "raw ", "2vuy", "yuv2", "yuvs", "v210", "v308", "v408", "v410", "r210", "b64a", "b48r",
      // The oldest QuickTime codecs.
      "rle ", "rpza", "smc ", "cvid", "8BPS", "SVQ1",
    ]
    for type in plain { kinds[type] = .plain }
    for type in dv { kinds[type] = .dv }
    // MPEG-2 of HDV, IMX and XDCAM, each system with a letter of its own.
    for (family, systems) in [("hdv", "123456789a"), ("xdv", "123456789abcdef"), ("xd5", "1459abcdef")] {
      for system in systems { kinds[FourCharacterCode(stringLiteral: family + String(system))] = .mpeg2 }
    }
    let others: [FourCharacterCode] = [
      "mx3n", "mx3p", "mx4n", "mx4p", "mx5n", "mx5p", "xdhd", "xdh2", "AVmp", "m2v1", "mp2v",
      "m1v ", "m1v1", "mp1v",
    ]
    for type in others { kinds[type] = .mpeg2 }
    return kinds
  }()

  /// DV, DVCPRO and DVCPRO HD. `dvh1`, of 60 fields and 1080 lines, is also the name of Dolby Vision in HEVC, which
  /// has its configuration.
  ///
  /// Source: libavformat, isom_tags.c and mov.c.
  private static let dv: [FourCharacterCode] = [
    "dvc ", "dvcp", "dvl ", "dvlp", "dvpp", "dvpn", "dv5n", "dv5p", "AVdv", "AVd1", "dvhq", "dvhp", "dvh2",
    "dvh3",
    "dvh4", "dvh5", "dvh6",
  ]

  /// Returns the kind of a whole sample entry; nil for an unknown one.
  package static func kind(of entry: ISOBox, in source: ByteSource) -> Kind? {
    let isTape =
      entry.type == "dvh1" && ISOBoxes.first("hvcC", in: entry.body.dropFirst(78), of: source) == nil
    return isTape ? .dv : kinds[entry.type]
  }

  /// The still picture codecs; a track with a single such picture beside a film is a thumbnail.
  package static let stills: Set<FourCharacterCode> = ["jpeg", "png ", "tiff", "gif ", "mjp2"]
}

/// The known audio codecs.
///
/// Not on the list are codecs whose configuration is needed and cannot be written anew from known fields:
/// AC-4 (`ac-4`), MPEG-H outside of its own stream (`mha1`, `mha2`) and Apple's spatial audio (`apac`).
package enum ISOAudioCodec {
  /// The codec of a spatial sound that a phone records beside a plain one.
  package static let spatial: FourCharacterCode = "apac"

  /// The types of the known audio sample entries.
  package static let types: Set<FourCharacterCode> = [
    "mp4a", "alac", "ac-3", "ec-3", "Opus", "fLaC", ".mp3", "samr", "sawb", "sawp", "sqcp",
    "sevc", "ssmv", "mhm1", "mhm2", "mlpa", "dtsc", "dtse", "dtsh", "dtsl",
    "lpcm", "ipcm", "fpcm", "twos", "sowt", "raw ", "NONE", "in24", "in32", "fl32", "fl64", "ulaw",
    "alaw", "ima4", "MAC3", "MAC6", "agsm", "QDM2", "QDMC",
    FourCharacterCode(value: 0x6D73_0002), FourCharacterCode(value: 0x6D73_0011),
    FourCharacterCode(value: 0x6D73_0031), FourCharacterCode(value: 0x6D73_0055),
  ]
}
