import MediaContainers

extension MatroskaID: PartKey {}

/// The elements of a Matroska or WebM, by the element around them.
///
/// Source: RFC 9559 section 5.1; RFC 8794 section 11.2.
enum MatroskaAllowList {
  private typealias Part = AllowList<MatroskaID>.Part

  /// The list of the children of each element that has some; the parent of the two top elements is
  /// nil.
  static let lists: [MatroskaID?: AllowList<MatroskaID>] = {
    var lists: [MatroskaID?: AllowList<MatroskaID>] = [:]
    for (parent, list) in all { lists[parent] = list }
    return lists
  }()

  /// Returns whether an output may have such an element in such a parent.
  static func allows(_ type: MatroskaID?, in parent: MatroskaID) -> Bool {
    guard let type else { return false }
    return lists[parent]?[type] != nil
  }

  /// All lists in the order of a file.
  static let all: [(parent: MatroskaID?, list: AllowList<MatroskaID>)] = [
    (
      nil,
      AllowList([
        Part(.eBML, .rewritten, "version and document type"),
        Part(.segment, .rewritten, "its elements"),
      ])
    ),
    (.eBML, AllowList(header)),
    (.segment, AllowList(isOrdered: false, segment)),
    (
      .seekHead,
      AllowList([Part(.seek, .rewritten, "where Info, Tracks and Cues are", isRepeated: true)])
    ),
    (
      .seek,
      AllowList([
        Part(.seekID, .rewritten, "the element", 4...4),
        Part(.seekPosition, .rewritten, "its offset", 8...8),
      ])
    ),
    (.info, AllowList(information)),
    (.tracks, AllowList([Part(.trackEntry, .rewritten, "video and sound", isRepeated: true)])),
    (.trackEntry, AllowList(track)),
    (.blockAdditionMapping, AllowList(mapping)),
    (.video, AllowList(video)),
    (.colour, AllowList(color)),
    (.masteringMetadata, AllowList(mastering)),
    (.projection, AllowList(projection)),
    (.audio, AllowList(audio)),
    (.contentEncodings, AllowList([Part(.contentEncoding, .rewritten, "bytes that frames share")])),
    (
      .contentEncoding,
      AllowList([Part(.contentCompression, .rewritten, "the first bytes of each frame")])
    ),
    (
      .contentCompression,
      AllowList([
        Part(.contentCompAlgo, .rewritten, "3, header stripping", 1...1),
        Part(.contentCompSettings, .copied, "the bytes", 1...8),
      ])
    ),
    (.cluster, AllowList(isOrdered: false, cluster)),
    (.blockGroup, AllowList(isOrdered: false, group)),
    (
      .blockAdditions,
      AllowList([Part(.blockMore, .copied, "an alpha channel's frame", isRepeated: true)])
    ),
    (
      .blockMore,
      AllowList(
        isOrdered: false,
        [
          Part(.blockAddID, .copied, "1", 0...8),
          Part(.blockAdditional, .copied, "the frame", 0...Int.max),
        ]
      )
    ),
    (.cues, AllowList([Part(.cuePoint, .rewritten, "a keyframe", isRepeated: true)])),
    (
      .cuePoint,
      AllowList([
        Part(.cueTime, .rewritten, "its time", number),
        Part(.cueTrackPositions, .rewritten, "track and cluster"),
      ])
    ),
    (
      .cueTrackPositions,
      AllowList([
        Part(.cueTrack, .rewritten, "the track", number),
        Part(.cueClusterPosition, .rewritten, "the offset of its cluster", 8...8),
      ])
    ),
  ]

  /// The lengths of a number in as few bytes as it needs.
  private static let number = 1...8
  /// The lengths of a floating point number.
  private static let real = 4...8

  private static func numbers(_ types: [MatroskaID], _ content: String) -> [Part] {
    types.map { Part($0, .rewritten, content, number) }
  }

  private static func reals(_ types: [MatroskaID], _ content: String) -> [Part] {
    types.map { Part($0, .rewritten, content, real, step: 4) }
  }

  private static let header =
    numbers([.eBMLVersion, .eBMLReadVersion, .eBMLMaxIDLength, .eBMLMaxSizeLength], "1, 1, 4 and 8")
    + [Part(.docType, .rewritten, "matroska or webm", 4...8)]
    + numbers([.docTypeVersion, .docTypeReadVersion], "the version")

  private static let segment = [
    Part(.seekHead, .rewritten, "made from the output"),
    Part(.info, .rewritten, "scale and duration; no UID, no names of files"),
    Part(.tracks, .rewritten, "video and sound"),
    Part(.cluster, .rewritten, "the frames", isRepeated: true),
    Part(.cues, .rewritten, "made from the output"),
  ]

  private static let information =
    numbers([.timestampScale], "its number")
    + reals([.duration], "its number")
    + [
      Part(.dateUTC, .excepted, "the date", 8...8),
      Part(.title, .excepted, "the title", 1...2000),
      Part(.muxingApp, .rewritten, "empty", 0...0),
      Part(.writingApp, .rewritten, "empty", 0...0),
    ]

  private static let track =
    numbers([.trackNumber], "its number")
    + numbers([.trackUID], "the track's number")
    + numbers([.trackType], "1 video, 2 sound")
    + numbers(
      [
        .flagEnabled, .flagDefault, .flagForced, .flagLacing, .minCache, .maxCache,
        .defaultDuration, .defaultDecodedFieldDuration, .maxBlockAdditionID,
      ],
      "its number"
    )
    + reals([.trackTimestampScale], "its number")
    + [
      Part(.blockAdditionMapping, .rewritten, "Dolby Vision", isRepeated: true),
      Part(.language, .rewritten, "und", 3...3),
      Part(.codecID, .copied, "a known codec", 5...32),
      Part(.codecPrivate, .rewritten, "what the codec's decoder needs", 1...1 << 20),
    ]
    + numbers([.codecDecodeAll, .codecDelay, .seekPreRoll], "its number")
    + [
      Part(.video, .rewritten, "how to show it"),
      Part(.audio, .rewritten, "how to play it"),
      Part(.contentEncodings, .rewritten, "header stripping"),
    ]

  private static let mapping = [
    Part(.blockAddIDType, .rewritten, "dvcC, dvvC or dvwC", 4...4),
    Part(.blockAddIDExtraData, .rewritten, "version, profile, level, compatibility", 24...24),
  ]

  private static let video =
    numbers(
      [
        .flagInterlaced, .fieldOrder, .stereoMode, .alphaMode, .pixelWidth, .pixelHeight,
        .pixelCropBottom, .pixelCropTop, .pixelCropLeft, .pixelCropRight, .displayWidth,
        .displayHeight, .displayUnit, .aspectRatioType,
      ],
      "its number"
    )
    + [Part(.uncompressedFourCC, .copied, "the layout of raw pixels", 4...4)]
    + [
      Part(.colour, .rewritten, "color and brightness"), Part(.projection, .rewritten, "a sphere"),
    ]

  private static let color =
    numbers(
      [
        .matrixCoefficients, .bitsPerChannel, .chromaSubsamplingHorz, .chromaSubsamplingVert,
        .cbSubsamplingHorz, .cbSubsamplingVert, .chromaSitingHorz, .chromaSitingVert, .range,
        .transferCharacteristics, .primaries, .maxCLL, .maxFALL,
      ],
      "its number"
    )
    + [Part(.masteringMetadata, .rewritten, "the mastering display")]

  private static let mastering = reals(
    [
      .primaryRChromaticityX, .primaryRChromaticityY, .primaryGChromaticityX,
      .primaryGChromaticityY, .primaryBChromaticityX, .primaryBChromaticityY,
      .whitePointChromaticityX, .whitePointChromaticityY, .luminanceMax, .luminanceMin,
    ],
    "its number"
  )

  private static let projection =
    numbers([.projectionType], "its number")
    + [Part(.projectionPrivate, .copied, "the borders of an equirectangular picture", 20...20)]
    + reals([.projectionPoseYaw, .projectionPosePitch, .projectionPoseRoll], "its number")

  private static let audio =
    reals([.samplingFrequency, .outputSamplingFrequency], "its number")
    + numbers([.channels, .bitDepth], "its number")

  private static let cluster = [
    Part(.timestamp, .rewritten, "its number", number),
    Part(.simpleBlock, .copied, "frames of a kept track", 4...Int.max, isRepeated: true),
    Part(.blockGroup, .rewritten, "a block and its durations", isRepeated: true),
  ]

  private static let group = [
    Part(.block, .copied, "frames of a kept track", 4...Int.max),
    Part(.blockAdditions, .copied, "the alpha channel of VP8 and VP9"),
    Part(.blockDuration, .copied, "its number", 0...8),
    Part(.referenceBlock, .copied, "its number", 0...8, isRepeated: true),
    Part(.discardPadding, .copied, "its number", 0...8),
  ]
}
