/// The identifiers of the elements of Matroska and WebM that are read or written.
///
/// Source: RFC 9559 section 5.1; RFC 8794 section 11.
package enum MatroskaID: UInt64, CaseIterable, Sendable, Hashable {
  // The header, and elements that may stand anywhere.
  case eBML = 0x1A45_DFA3
  case eBMLVersion = 0x4286
  case eBMLReadVersion = 0x42F7
  case eBMLMaxIDLength = 0x42F2
  case eBMLMaxSizeLength = 0x42F3
  case docType = 0x4282
  case docTypeVersion = 0x4287
  case docTypeReadVersion = 0x4285
  case docTypeExtension = 0x4281
  case void = 0xEC
  case cRC32 = 0xBF

  // A segment and its children.
  case segment = 0x1853_8067
  case seekHead = 0x114D_9B74
  case info = 0x1549_A966
  case tracks = 0x1654_AE6B
  case cluster = 0x1F43_B675
  case cues = 0x1C53_BB6B
  case attachments = 0x1941_A469
  case chapters = 0x1043_A770
  case tags = 0x1254_C367

  case seek = 0x4DBB
  case seekID = 0x53AB
  case seekPosition = 0x53AC

  case segmentUUID = 0x73A4
  case segmentFilename = 0x7384
  case prevUUID = 0x3C_B923
  case prevFilename = 0x3C_83AB
  case nextUUID = 0x3E_B923
  case nextFilename = 0x3E_83BB
  case segmentFamily = 0x4444
  case chapterTranslate = 0x6924
  case timestampScale = 0x2A_D7B1
  case duration = 0x4489
  case dateUTC = 0x4461
  case title = 0x7BA9
  case muxingApp = 0x4D80
  case writingApp = 0x5741

  case trackEntry = 0xAE
  case trackNumber = 0xD7
  case trackUID = 0x73C5
  case trackType = 0x83
  case flagEnabled = 0xB9
  case flagDefault = 0x88
  case flagForced = 0x55AA
  case flagHearingImpaired = 0x55AB
  case flagVisualImpaired = 0x55AC
  case flagTextDescriptions = 0x55AD
  case flagOriginal = 0x55AE
  case flagCommentary = 0x55AF
  case flagLacing = 0x9C
  case minCache = 0x6DE7
  case maxCache = 0x6DF8
  case defaultDuration = 0x23_E383
  case defaultDecodedFieldDuration = 0x23_4E7A
  case trackTimestampScale = 0x23_314F
  case trackOffset = 0x537F
  case maxBlockAdditionID = 0x55EE
  case blockAdditionMapping = 0x41E4
  case blockAddIDValue = 0x41F0
  case blockAddIDName = 0x41A4
  case blockAddIDType = 0x41E7
  case blockAddIDExtraData = 0x41ED
  case name = 0x536E
  case language = 0x22_B59C
  case languageBCP47 = 0x22_B59D
  case codecID = 0x86
  case codecPrivate = 0x63A2
  case codecName = 0x25_8688
  case attachmentLink = 0x7446
  case codecDecodeAll = 0xAA
  case codecDelay = 0x56AA
  case seekPreRoll = 0x56BB
  case trackOperation = 0xE2
  case contentEncodings = 0x6D80
  case contentEncoding = 0x6240
  case contentEncodingOrder = 0x5031
  case contentEncodingScope = 0x5032
  case contentEncodingType = 0x5033
  case contentCompression = 0x5034
  case contentCompAlgo = 0x4254
  case contentCompSettings = 0x4255
  case contentEncryption = 0x5035

  case video = 0xE0
  case flagInterlaced = 0x9A
  case fieldOrder = 0x9D
  case stereoMode = 0x53B8
  case alphaMode = 0x53C0
  case pixelWidth = 0xB0
  case pixelHeight = 0xBA
  case pixelCropBottom = 0x54AA
  case pixelCropTop = 0x54BB
  case pixelCropLeft = 0x54CC
  case pixelCropRight = 0x54DD
  case displayWidth = 0x54B0
  case displayHeight = 0x54BA
  case displayUnit = 0x54B2
  case aspectRatioType = 0x54B3
  case uncompressedFourCC = 0x2E_B524
  case gammaValue = 0x2F_B523
  case frameRate = 0x23_83E3
  case colour = 0x55B0
  case matrixCoefficients = 0x55B1
  case bitsPerChannel = 0x55B2
  case chromaSubsamplingHorz = 0x55B3
  case chromaSubsamplingVert = 0x55B4
  case cbSubsamplingHorz = 0x55B5
  case cbSubsamplingVert = 0x55B6
  case chromaSitingHorz = 0x55B7
  case chromaSitingVert = 0x55B8
  case range = 0x55B9
  case transferCharacteristics = 0x55BA
  case primaries = 0x55BB
  case maxCLL = 0x55BC
  case maxFALL = 0x55BD
  case masteringMetadata = 0x55D0
  case primaryRChromaticityX = 0x55D1
  case primaryRChromaticityY = 0x55D2
  case primaryGChromaticityX = 0x55D3
  case primaryGChromaticityY = 0x55D4
  case primaryBChromaticityX = 0x55D5
  case primaryBChromaticityY = 0x55D6
  case whitePointChromaticityX = 0x55D7
  case whitePointChromaticityY = 0x55D8
  case luminanceMax = 0x55D9
  case luminanceMin = 0x55DA
  case projection = 0x7670
  case projectionType = 0x7671
  case projectionPrivate = 0x7672
  case projectionPoseYaw = 0x7673
  case projectionPosePitch = 0x7674
  case projectionPoseRoll = 0x7675

  case audio = 0xE1
  case samplingFrequency = 0xB5
  case outputSamplingFrequency = 0x78B5
  case channels = 0x9F
  case bitDepth = 0x6264

  case timestamp = 0xE7
  case silentTracks = 0x5854
  case position = 0xA7
  case prevSize = 0xAB
  case simpleBlock = 0xA3
  case blockGroup = 0xA0
  case block = 0xA1
  case blockAdditions = 0x75A1
  case blockMore = 0xA6
  case blockAddID = 0xEE
  case blockAdditional = 0xA5
  case blockDuration = 0x9B
  case referencePriority = 0xFA
  case referenceBlock = 0xFB
  case codecState = 0xA4
  case discardPadding = 0x75A2
  case encryptedBlock = 0xAF

  case cuePoint = 0xBB
  case cueTime = 0xB3
  case cueTrackPositions = 0xB7
  case cueTrack = 0xF7
  case cueClusterPosition = 0xF1

  case tag = 0x7373
  case targets = 0x63C0
  case tagTrackUID = 0x63C5
  case simpleTag = 0x67C8
  case tagName = 0x45A3
  case tagString = 0x4487
  case attachedFile = 0x61A7
  case fileName = 0x466E
  case fileData = 0x465C

  /// The name that the specification has.
  package var name: String {
    let own = "\(self)"
    return own.prefix(1).uppercased() + own.dropFirst()
  }

  /// The children of a segment, one of which ends a cluster of unknown length.
  static let ofSegment: Set<MatroskaID> = [
    .seekHead, .info, .tracks, .cluster, .cues, .attachments, .chapters, .tags,
  ]
}
