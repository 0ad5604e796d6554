import MediaContainers
package import MediaModel

/// The names of the Exif tags.
///
/// Source: TIFF 6.0; Exif 2.32 tables 4 to 8, 15; Exif 3.0; GeoTIFF 1.1; DNG 1.6; exiftool
/// `lib/Image/ExifTool/Exif.pm` for what Windows and Adobe's raw converter write.
package enum ExifTagNames {
  /// Returns the name of a tag, or its number as `0x9286`.
  package static func name(_ tag: Int, isLocation: Bool) -> String {
    (isLocation ? location[tag] : image[tag])
      ?? "0x" + Hexadecimal.text(tag, digits: 4)
  }

  /// Returns the name of a tag of a TIFF page: that of TIFF, else that of Exif, else its number.
  package static func pageName(_ tag: Int) -> String {
    TIFFTagName.listedName(tag) ?? image[tag] ?? TIFFTagName.name(tag)
  }

  /// Returns the kind of a tag, for receipts.
  package static func tag(_ tag: Int, isLocation: Bool) -> MetadataTag {
    isLocation
      ? locationTags[tag] ?? .of(path: "GPS/") : imageTags[tag] ?? .of(path: "IFD/")
  }

  private static let imageTags = image.mapValues { MetadataTag.of(path: "IFD/\($0)") }
  private static let locationTags = location.mapValues { MetadataTag.of(path: "GPS/\($0)") }

  private static let image: [Int: String] = [
    0x0001: "InteropIndex", 0x0002: "InteropVersion", 0x000B: "ProcessingSoftware",
    0x00FE: "SubfileType", 0x0100: "ImageWidth", 0x0101: "ImageHeight", 0x0102: "BitsPerSample",
    0x0103: "Compression", 0x0106: "PhotometricInterpretation", 0x010D: "DocumentName",
    0x010E: "ImageDescription", 0x010F: "Make", 0x0110: "Model", 0x0111: "StripOffsets",
    0x0112: "Orientation", 0x0115: "SamplesPerPixel", 0x0116: "RowsPerStrip",
    0x0117: "StripByteCounts", 0x011A: "XResolution", 0x011B: "YResolution",
    0x011C: "PlanarConfiguration", 0x011D: "PageName", 0x0128: "ResolutionUnit",
    0x012D: "TransferFunction", 0x0131: "Software", 0x0132: "DateTime", 0x013B: "Artist",
    0x013C: "HostComputer", 0x013E: "WhitePoint", 0x013F: "PrimaryChromaticities",
    0x0201: "ThumbnailOffset", 0x0202: "ThumbnailLength", 0x0211: "YCbCrCoefficients",
    0x0213: "YCbCrPositioning", 0x0214: "ReferenceBlackWhite", 0x02BC: "XMP", 0x4746: "Rating",
    0x4749: "RatingPercent", 0x8298: "Copyright", 0x829A: "ExposureTime", 0x829D: "FNumber",
    0x83BB: "IPTC", 0x8649: "Photoshop", 0x8773: "ICC_Profile", 0x8822: "ExposureProgram",
    0x8827: "ISO", 0x8830: "SensitivityType", 0x9000: "ExifVersion", 0x9003: "DateTimeOriginal",
    0x9004: "DateTimeDigitized", 0x9010: "OffsetTime", 0x9011: "OffsetTimeOriginal",
    0x9012: "OffsetTimeDigitized", 0x9101: "ComponentsConfiguration",
    0x9102: "CompressedBitsPerPixel", 0x9201: "ShutterSpeedValue", 0x9202: "ApertureValue",
    0x9203: "BrightnessValue", 0x9204: "ExposureCompensation", 0x9205: "MaxApertureValue",
    0x9206: "SubjectDistance", 0x9207: "MeteringMode", 0x9208: "LightSource", 0x9209: "Flash",
    0x920A: "FocalLength", 0x9214: "SubjectArea", 0x927C: "MakerNote", 0x9286: "UserComment",
    0x9290: "SubSecTime", 0x9291: "SubSecTimeOriginal", 0x9292: "SubSecTimeDigitized",
    0x9C9B: "XPTitle", 0x9C9C: "XPComment", 0x9C9D: "XPAuthor", 0x9C9E: "XPKeywords",
    0x9C9F: "XPSubject", 0xA000: "FlashpixVersion", 0xA001: "ColorSpace", 0xA002: "ExifImageWidth",
    0xA003: "ExifImageHeight", 0xA004: "RelatedSoundFile", 0xA20E: "FocalPlaneXResolution",
    0xA20F: "FocalPlaneYResolution", 0xA210: "FocalPlaneResolutionUnit", 0xA215: "ExposureIndex",
    0xA217: "SensingMethod", 0xA300: "FileSource", 0xA301: "SceneType", 0xA302: "CFAPattern",
    0xA401: "CustomRendered", 0xA402: "ExposureMode", 0xA403: "WhiteBalance",
    0xA404: "DigitalZoomRatio", 0xA405: "FocalLengthIn35mmFormat", 0xA406: "SceneCaptureType",
    0xA407: "GainControl", 0xA408: "Contrast", 0xA409: "Saturation", 0xA40A: "Sharpness",
    0xA40C: "SubjectDistanceRange", 0xA420: "ImageUniqueID", 0xA430: "OwnerName",
    0xA431: "BodySerialNumber", 0xA432: "LensSpecification", 0xA433: "LensMake",
    0xA434: "LensModel", 0xA435: "LensSerialNumber", 0xA460: "CompositeImage", 0xEA1C: "Padding",
    0x0151: "TargetPrinter", 0x830E: "GeoTIFF", 0x8482: "GeoTIFF", 0x85D8: "GeoTIFF",
    0x87AF: "GeoTIFF", 0x87B0: "GeoTIFF", 0x87B1: "GeoTIFF", 0x882A: "TimeZoneOffset",
    0x9211: "ImageNumber", 0x9212: "SecurityClassification", 0x9213: "ImageHistory",
    0xA436: "ImageTitle", 0xA437: "Photographer", 0xA438: "ImageEditor", 0xA439: "CameraFirmware",
    0xA43A: "RAWDevelopingSoftware", 0xA43B: "ImageEditingSoftware",
    0xA43C: "MetadataEditingSoftware", 0xC614: "UniqueCameraModel", 0xC615: "LocalizedCameraModel",
    0xC62F: "CameraSerialNumber", 0xC634: "DNGPrivateData", 0xC65D: "RawDataUniqueID",
    0xC68B: "OriginalRawFileName", 0xC68C: "OriginalRawFileData",
    0xC716: "PreviewApplicationName", 0xC717: "PreviewApplicationVersion",
    0xC71B: "PreviewDateTime", 0xFDE8: "OwnerName", 0xFDE9: "BodySerialNumber",
    0xFDEA: "LensModel",
  ]

  private static let location: [Int: String] = [
    0: "GPSVersionID", 1: "GPSLatitudeRef", 2: "GPSLatitude", 3: "GPSLongitudeRef",
    4: "GPSLongitude", 5: "GPSAltitudeRef", 6: "GPSAltitude", 7: "GPSTimeStamp",
    8: "GPSSatellites", 9: "GPSStatus", 10: "GPSMeasureMode", 11: "GPSDOP", 12: "GPSSpeedRef",
    13: "GPSSpeed", 14: "GPSTrackRef", 15: "GPSTrack", 16: "GPSImgDirectionRef",
    17: "GPSImgDirection", 18: "GPSMapDatum", 19: "GPSDestLatitudeRef", 20: "GPSDestLatitude",
    21: "GPSDestLongitudeRef", 22: "GPSDestLongitude", 23: "GPSDestBearingRef",
    24: "GPSDestBearing", 25: "GPSDestDistanceRef", 26: "GPSDestDistance",
    27: "GPSProcessingMethod", 28: "GPSAreaInformation", 29: "GPSDateStamp", 30: "GPSDifferential",
    31: "GPSHPositioningError",
  ]
}
