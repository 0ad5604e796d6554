import MediaCodecs
import MediaContainers

extension BoxAllowList {
  /// Any number of bytes, of a table that is copied with the length of its entries.
  private static let table = Rule.copied(0...Int.max)

  /// Returns a rule for each type.
  private static func all(
    _ types: some Sequence<FourCharacterCode>,
    _ rule: Rule = .rewritten
  ) -> [FourCharacterCode: Rule] {
    Dictionary(types.map { ($0, rule) }) { first, _ in first }
  }

  /// The boxes of a HEIC or AVIF.
  ///
  /// Source: ISO/IEC 23008-12 sections 6.5, 7 and 9.3; ISO/IEC 14496-12 section 8.
  static let picture = BoxAllowList([
    "file": ["ftyp": .rewritten, "meta": .rewritten, "moov": .rewritten, "mdat": table],
    "meta": all(["hdlr", "pitm", "iinf", "iref", "iprp", "grpl", "idat", "iloc"]),
    "iinf": all(["infe"]),
    "iref": all(["dimg", "auxl", "prem", "cdsc"]),
    "iprp": all(["ipco", "ipma"]),
    "ipco": all([
      "ispe", "colr", "pixi", "hvcC", "avcC", "av1C", "irot", "imir", "iscl", "auxC", "a1lx",
    ])
    .merging([
      "clap": .copied(32...32), "pasp": .copied(8...8), "clli": .copied(4...4),
      "mdcv": .copied(24...24), "amve": .copied(8...8), "a1op": .copied(1...1),
      "lsel": .copied(2...2),
    ]) { $1 },
    "grpl": all(["altr"]),
    "moov": all(["mvhd", "trak"]),
    "trak": all(["tkhd", "tref", "edts", "mdia"]),
    "tref": all(["auxl", "prem"]),
    "edts": all(["elst"]),
    "mdia": all(["mdhd", "hdlr", "minf"]),
    "minf": all(["vmhd", "dinf", "stbl"]),
    "dinf": all(["dref"]),
    "dref": all(["url "]),
    "stbl": all(["stts", "ctts", "cslg", "stss"], table)
      .merging(all(["stsd", "stsc", "stsz", "stco", "co64"])) { $1 },
    "stsd": all(["hvc1", "hev1", "av01", "avc1", "avc3"]),
    "entry": all([
      "hvcC", "avcC", "av1C", "ccst", "auxi", "colr", "pasp", "clap", "clli", "mdcv", "amve",
    ]),
  ])

  /// The boxes of an MP4, MOV, M4A or 3GP.
  ///
  /// Source: ISO/IEC 14496-12 section 8; Apple, QuickTime File Format; Google, Spherical Video V2;
  /// Apple, ISOBMFF for stereo video.
  static let movie = BoxAllowList([
    "file": [
      "ftyp": .rewritten, "moov": .rewritten, "moof": .rewritten, "sidx": .rewritten, "mdat": table,
    ],
    "moov": ["mvhd": .rewritten, "trak": .rewritten, "mvex": .rewritten, "meta": .excepted],
    "mvex": all(["trex", "mehd"]),
    "trak": all(["tkhd", "tref", "edts", "tapt", "mdia"]),
    "tref": all(["auxl", "fall", "folw", "sync", "vdep", "sbas", "scal"]),
    "edts": all(["elst"]),
    "tapt": all(["clef", "prof", "enof"]),
    "mdia": all(["mdhd", "hdlr", "minf"]),
    "minf": all(["vmhd", "smhd", "hdlr", "dinf", "stbl"]),
    "dinf": all(["dref"]),
    "dref": all(["url "]),
    "stbl": all(
      ["stts", "ctts", "cslg", "stss", "stps", "sdtp", "stsc", "stsz", "stz2", "sgpd", "sbgp"],
      table
    ).merging(all(["stsd", "stco", "co64"])) { $1 },
    "stsd": all(ISOVideoCodec.kinds.keys).merging(all(ISOAudioCodec.types)) { $1 },
    "entry": entry,
    "sound": sound,
    "wave": sound.filter { $0.key != "wave" }
      .merging(all(["mp4a", ".mp3", FourCharacterCode(value: 0)])) { $1 },
    "vexu": all(["eyes", "proj", "pack"])
      .merging(["must": .copied(0...16), "hero": view]) { $1 },
    "eyes": all(["cams", "cmfy"])
      .merging(["stri": view, "hero": view, "must": .copied(0...16)]) { $1 },
    "cams": all(["blin"], view),
    "cmfy": all(["dadj"], view),
    "pack": all(["pkin"], view),
    "sv3d": all(["svhd", "proj"]),
    "proj": [
      "prji": view, "prhd": .copied(16...16), "equi": .copied(20...20), "cbmp": .copied(12...12),
    ],
    "moof": all(["mfhd", "traf"]),
    "traf": all(["tfhd", "tfdt", "trun"]).merging(all(["sgpd", "sbgp"], table)) { $1 },
  ])

  /// A few numbers about a view of stereo video.
  private static let view = Rule.copied(0...12)

  /// The boxes of a sample entry of sound: those of ``entry`` but for color, size, view and decoders of pictures.
  private static let sound = entry.filter { type, _ in
    ![
      "avcC", "hvcC", "lhvC", "av1C", "vpcC", "d263", "dvcC", "dvvC", "dvwC", "colr", "pasp", "clap", "clli",
      "mdcv", "amve", "vexu", "sv3d", "ACLR", "fiel", "gama", "hfov", "SmDm", "CoLL", "st3d",
    ].contains(type)
  }

  /// The boxes of a sample entry: those that a decoder or a display needs.
  private static let entry: [FourCharacterCode: Rule] = all([
    "avcC", "hvcC", "lhvC", "av1C", "vpcC", "esds", "alac", "wave", "dOps", "dfLa", "damr", "d263",
    "devc", "dqcp", "dsmv", "chan", "dvcC", "dvvC", "dvwC", "colr", "pasp", "clap", "clli", "mdcv",
    "amve", "vexu", "sv3d", "dec3", "chnl", "dac3", "ddts", "SA3D", "dmlp", "mhaP", "QDCA", "ACLR",
  ]).merging([
    "btrt": .copied(12...12), "fiel": .copied(2...2), "gama": .copied(4...4),
    "hfov": .copied(4...4), "SmDm": .copied(28...28), "CoLL": .copied(8...8),
    "st3d": .copied(5...5), "enda": .copied(2...2), "frma": .copied(4...4),
    "srat": .copied(8...8), "pcmC": .copied(6...6),
  ]) { $1 }
}
