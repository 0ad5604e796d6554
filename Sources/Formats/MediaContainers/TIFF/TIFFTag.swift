/// The numbers of the tags that code asks for by name; those that tables alone have stand there.
///
/// Source: TIFF 6.0; TIFF Technical Notes 1 and 2; TIFF/EP (ISO 12234-2); XMP part 3; C2PA 2.1
/// section A.3.2; exiftool `lib/Image/ExifTool/PanasonicRaw.pm`.
package enum TIFFTag {
  /// The kind of picture in a directory, now and in TIFF 5: reduced, one of several, a mask.
  package static let (newSubfileType, subfileType) = (0x00FE, 0x00FF)
  /// The size of the picture in pixels.
  package static let (imageWidth, imageLength) = (0x0100, 0x0101)
  /// The bits of each sample, and the number of samples of a pixel.
  package static let (bitsPerSample, samplesPerPixel) = (0x0102, 0x0115)
  /// The kind of a sample's number, and whether samples have planes of their own.
  package static let (sampleFormat, planarConfiguration) = (0x0153, 0x011C)
  /// The coding of strips and tiles, and the difference that LZW and Deflate code.
  package static let (compression, predictor) = (0x0103, 0x013D)
  /// The order and the layout of CCITT bits.
  package static let (fillOrder, t4Options, t6Options) = (0x010A, 0x0124, 0x0125)
  /// The meaning of samples, and the colors of a palette.
  package static let (photometricInterpretation, colorMap) = (0x0106, 0x0140)
  /// How far chroma is reduced, across and down.
  package static let ycbcrSubSampling = 0x0212
  /// The pattern of a sensor's color filters, and its size in pixels.
  package static let (cfaPattern, cfaRepeatPatternDim) = (0x828E, 0x828D)
  /// The strips: offsets and lengths in bytes, and the rows of each.
  package static let (stripOffsets, stripByteCounts, rowsPerStrip) = (0x0111, 0x0117, 0x0116)
  /// The tiles: offsets and lengths in bytes.
  package static let (tileOffsets, tileByteCounts) = (0x0144, 0x0145)
  /// The size of a tile in pixels.
  package static let (tileWidth, tileLength) = (0x0142, 0x0143)
  /// The tables that JPEG strips or tiles share.
  package static let jpegTables = 0x015B
  /// A JPEG outside the strips, mostly a preview: its offset, and its length in bytes.
  package static let (jpegInterchangeFormat, jpegInterchangeFormatLength) = (0x0201, 0x0202)
  /// The size on paper, as pixels in a unit.
  package static let (xResolution, yResolution, resolutionUnit) = (0x011A, 0x011B, 0x0128)
  /// The orientation, 1 to 8.
  package static let orientation = 0x0112
  /// The offsets of further directories: of pictures, of Exif, of GPS.
  package static let (subIFDs, exifIFD, gpsIFD) = (0x014A, 0x8769, 0x8825)
  /// Blocks of metadata: a packet of XMP, datasets of IPTC, resources of Photoshop.
  package static let (xmp, iptc, photoshop) = (0x02BC, 0x83BB, 0x8649)
  /// The color profile, and the store of content credentials (C2PA).
  package static let (iccProfile, contentCredentials) = (0x8773, 0xCD41)
  /// Panasonic's: the offset of the sensor's data, and a JPEG preview as the value.
  package static let (panasonicData, panasonicPreview) = (0x0118, 0x002E)
  /// Leaf's block of what develops the picture.
  package static let leafData = 0x8606

  /// Returns the tag of the offsets of tiles or of strips.
  package static func offsets(isTiled: Bool) -> Int { isTiled ? tileOffsets : stripOffsets }

  /// Returns the tag of the lengths of tiles or of strips, in bytes.
  package static func byteCounts(isTiled: Bool) -> Int {
    isTiled ? tileByteCounts : stripByteCounts
  }
}

// MARK: DNG

/// Source: Adobe, Digital Negative Specification 1.7.
extension TIFFTag {
  /// The version of the format, and the oldest that reads the file.
  package static let (dngVersion, dngBackwardVersion) = (50706, 50707)
  /// The name of the camera's model, which picks a profile, and what the camera keeps for itself.
  package static let (uniqueCameraModel, dngPrivateData) = (50708, 50740)
  /// The colors of the filters' planes, and the arrangement of the filters.
  package static let (cfaPlaneColor, cfaLayout) = (50710, 50711)
  /// The values that stored samples stand for.
  package static let linearizationTable = 50712
  /// The black levels, the size of their pattern in pixels, and what columns and rows add.
  package static let (blackLevel, blackLevelRepeatDim, blackLevelDeltaH, blackLevelDeltaV) = (
    50714, 50713, 50715, 50716
  )
  /// The white level of each sample.
  package static let whiteLevel = 50717
  /// Areas of the sensor that have light, and that are masked: top, left, bottom, right, in pixels.
  package static let (activeArea, maskedAreas) = (50829, 50830)
  /// The lights for which the profile has colors.
  package static let (calibrationIlluminant1, calibrationIlluminant2) = (50778, 50779)
  /// Color profiles for the picture as it was shot, and as it is.
  package static let (asShotICCProfile, currentICCProfile) = (50831, 50833)
  /// Texts that agree where the camera's calibration is for the embedded profile.
  package static let (cameraCalibrationSignature, profileCalibrationSignature) = (50931, 50932)
  /// Tables of hue and saturation, and their divisions.
  package static let (profileHueSatMapDims, profileHueSatMapData1, profileHueSatMapData2) = (
    50937, 50938, 50939
  )
  /// A table of the look, and its divisions.
  package static let (profileLookTableDims, profileLookTableData) = (50981, 50982)
  /// The order in which tiles and rows are stored.
  package static let (subTileBlockSize, rowInterleaveFactor, columnInterleaveFactor) = (
    50974, 50975, 52547
  )
  /// Operations on samples as stored, when they are linear, and when pixels have all colors.
  package static let (opcodeList1, opcodeList2, opcodeList3) = (51008, 51009, 51022)
  /// Tables of gains.
  package static let (profileGainTableMap, profileGainTableMap2) = (52525, 52544)
}
