/// The closed table of the kinds of metadata: what receipts may name, and in which class it is.
///
/// Source: TIFF 6.0, Exif 2.32, IPTC-IIM 4.2, ISO 16684 (XMP), Adobe DNG 1.6, QuickTime File Format,
/// ID3v2.4, RFC 9559; the names are those that `inspect` shows. Of XMP, the prefix of a namespace
/// that is not read elsewhere is the last part of its address.
extension MetadataTag {
  static let table: [(name: String, metadataClass: MetadataClass)] =
    names.flatMap { row in row.names.map { ($0, row.metadataClass) } }

  /// The indexes by name in lowercase: keys of sounds and films are written in any case.
  static let indexes: [String: Int] = {
    var indexes: [String: Int] = [:]
    for (index, row) in table.enumerated() where indexes[row.name.lowercased()] == nil {
      indexes[row.name.lowercased()] = index
    }
    return indexes
  }()

  private static let names: [(metadataClass: MetadataClass, names: [String])] = [
    (
      .location,
      [
        "GPSVersionID", "GPSLatitudeRef", "GPSLatitude", "GPSLongitudeRef", "GPSLongitude",
        "GPSAltitudeRef", "GPSAltitude", "GPSTimeStamp", "GPSSatellites", "GPSStatus",
        "GPSMeasureMode", "GPSDOP", "GPSSpeedRef", "GPSSpeed", "GPSTrackRef", "GPSTrack",
        "GPSImgDirectionRef", "GPSImgDirection", "GPSMapDatum", "GPSDestLatitudeRef",
        "GPSDestLatitude", "GPSDestLongitudeRef", "GPSDestLongitude", "GPSDestBearingRef",
        "GPSDestBearing", "GPSDestDistanceRef", "GPSDestDistance", "GPSProcessingMethod",
        "GPSAreaInformation", "GPSDateStamp", "GPSDifferential", "GPSHPositioningError",
        "other GPS tag", "2:26 ContentLocationCode", "2:27 ContentLocationName", "2:90 City",
        "2:92 Sub-location", "2:95 Province", "2:100 CountryCode", "2:101 Country",
        "exif:GPSVersionID", "exif:GPSLatitudeRef", "exif:GPSLatitude", "exif:GPSLongitudeRef",
        "exif:GPSLongitude", "exif:GPSAltitudeRef", "exif:GPSAltitude", "exif:GPSTimeStamp",
        "exif:GPSSatellites", "exif:GPSStatus", "exif:GPSMeasureMode", "exif:GPSDOP",
        "exif:GPSSpeedRef", "exif:GPSSpeed", "exif:GPSTrackRef", "exif:GPSTrack",
        "exif:GPSImgDirectionRef", "exif:GPSImgDirection", "exif:GPSMapDatum",
        "exif:GPSDestLatitudeRef", "exif:GPSDestLatitude", "exif:GPSDestLongitudeRef",
        "exif:GPSDestLongitude", "exif:GPSDestBearingRef", "exif:GPSDestBearing",
        "exif:GPSDestDistanceRef", "exif:GPSDestDistance", "exif:GPSProcessingMethod",
        "exif:GPSAreaInformation", "exif:GPSDateStamp", "exif:GPSDifferential",
        "exif:GPSHPositioningError", "photoshop:City", "photoshop:State", "photoshop:Country",
        "Iptc4xmpCore:Location", "Iptc4xmpCore:CountryCode", "Iptc4xmpExt:LocationShown",
        "Iptc4xmpExt:LocationCreated", "dwc:Location", "drone-dji:GpsLatitude",
        "drone-dji:GpsLongitude", "drone-dji:GpsLongtitude", "drone-dji:AbsoluteAltitude",
        "drone-dji:RelativeAltitude", "©xyz", "loci", "com.apple.quicktime.location.ISO6709",
        "com.apple.quicktime.location.accuracy.horizontal", "com.apple.quicktime.location.name",
        "com.apple.quicktime.location.body", "com.apple.quicktime.location.note",
        "com.apple.quicktime.location.role", "com.apple.quicktime.location.date", "LOCATION",
        "IARL", "RECORDING_LOCATION", "geo_location", "GeoTIFF", "LOCA", "ICNT", "other location",
      ]
    ),
    (
      .person,
      [
        "Artist", "Copyright", "OwnerName", "XPAuthor", "2:80 By-line", "2:85 By-lineTitle",
        "2:110 Credit", "2:115 Source", "2:116 CopyrightNotice", "2:118 Contact", "2:122 Writer",
        "dc:creator", "dc:contributor", "dc:publisher", "dc:rights", "photoshop:Credit",
        "photoshop:Source", "photoshop:AuthorsPosition", "photoshop:CaptionWriter",
        "Iptc4xmpCore:CreatorContactInfo", "Iptc4xmpExt:PersonInImage",
        "Iptc4xmpExt:PersonInImageWDetails", "regions:Regions", "photo:RegionInfo", "rights:Owner",
        "rights:UsageTerms", "rights:WebStatement", "rights:Marked", "aux:OwnerName",
        "exifEX:CameraOwnerName", "exifEX:OwnerName", "tiff:Artist", "tiff:Copyright", "©ART",
        "©aut", "auth", "perf", "©prd", "©cpy", "cprt", "com.apple.quicktime.author",
        "com.apple.quicktime.artist", "com.apple.quicktime.copyright",
        "com.apple.quicktime.director", "com.apple.quicktime.producer", "TPE1", "TP1", "TPE2",
        "TPE3", "TPE4", "TCOM", "TCOP", "TCR", "TOWN", "TENC", "IART", "IENG", "ITCH", "ICOP",
        "ICMS", "author", "composer", "performer", "album artist", "albumartist", "conductor",
        "lyricist", "encoded_by", "encodedby", "engineer", "producer", "director", "(c)", "(c) ",
        "ENCODED-BY", "contact", "Photographer", "ImageEditor", "2:188 OwnerID", "TP2", "TP3",
        "TP4", "TCM", "TOPE", "TOA", "TOLY", "TOL", "TPUB", "TPB", "TEN", "TRSO", "TIPL", "TMCL",
        "IPLS", "IPL", "TPRO", "TSOP", "TSP", "TSO2", "TS2", "TSOC", "TSC", "OWNE", "aART", "©wrt",
        "©com", "©dir", "©prf", "©phg", "©src", "©swf", "ownr", "apID", "IDST", "IEDT", "IPRO",
        "IWRI", "ISTR", "IMUS", "ICNM", "IRIP", "ISTD", "IENC", "Originator", "other person", "AUT",
        "EAR",
      ]
    ),
    (
      .device,
      [
        "Make", "Model", "Software", "HostComputer", "BodySerialNumber", "LensMake", "LensModel",
        "LensSerialNumber", "LensSpecification", "MakerNote", "ImageUniqueID",
        "2:65 OriginatingProgram", "2:70 ProgramVersion", "tiff:Make", "tiff:Model",
        "tiff:Software", "xmp:CreatorTool", "exif:MakerNote", "exif:ImageUniqueID",
        "aux:SerialNumber", "aux:BodySerialNumber", "aux:Lens", "aux:LensID", "aux:LensInfo",
        "aux:LensMake", "aux:LensModel", "aux:LensSerialNumber", "aux:LensSpecification",
        "aux:Firmware", "aux:ImageNumber", "exifEX:SerialNumber", "exifEX:BodySerialNumber",
        "exifEX:Lens", "exifEX:LensID", "exifEX:LensInfo", "exifEX:LensMake", "exifEX:LensModel",
        "exifEX:LensSerialNumber", "exifEX:LensSpecification", "exifEX:Firmware",
        "exifEX:ImageNumber", "mm:DocumentID", "mm:InstanceID", "mm:OriginalDocumentID",
        "mm:History", "mm:DerivedFrom", "UniqueCameraModel", "LocalizedCameraModel",
        "CameraSerialNumber", "DNGPrivateData", "OriginalRawFileName", "OriginalRawFileData",
        "RawDataUniqueID", "PreviewApplicationName", "PreviewApplicationVersion", "©mak", "©mod",
        "©swr", "©too", "©enc", "com.apple.quicktime.make", "com.apple.quicktime.model",
        "com.apple.quicktime.software", "com.apple.quicktime.camera.identifier",
        "com.apple.quicktime.camera.lens_model", "com.apple.quicktime.content.identifier",
        "handler name", "compressor name", "encoder information", "vendor", "TSSE", "TSS", "ISFT",
        "ISRC", "encoder", "encoder_options", "encoder settings", "tool", "MuxingApp", "WritingApp",
        "COM.ANDROID.MANUFACTURER", "COM.ANDROID.MODEL", "SegmentUUID", "SegmentFilename", "bext",
        "iXML", "ProcessingSoftware", "TargetPrinter", "CameraFirmware", "RAWDevelopingSoftware",
        "ImageEditingSoftware", "MetadataEditingSoftware", "2:232 ExifCameraInfo",
        "Photoshop version", "CodingHistory", "modl", "manu", "CNFV", "FIRM", "LENS", "CAME",
        "Source", "instanceID", "documentID", "x:xmptk", "pdf:Producer", "pdf:Creator",
        "CanonImageType", "CanonModelID", "other device",
      ]
    ),
    (
      .time,
      [
        "DateTime", "DateTimeOriginal", "DateTimeDigitized", "OffsetTime", "OffsetTimeOriginal",
        "OffsetTimeDigitized", "SubSecTime", "SubSecTimeOriginal", "SubSecTimeDigitized",
        "2:30 ReleaseDate", "2:35 ReleaseTime", "2:37 ExpirationDate", "2:38 ExpirationTime",
        "2:55 DateCreated", "2:60 TimeCreated", "2:62 DigitalCreationDate",
        "2:63 DigitalCreationTime", "exif:DateTimeOriginal", "exif:DateTimeDigitized",
        "photoshop:DateCreated", "xmp:CreateDate", "xmp:ModifyDate", "xmp:MetadataDate",
        "tiff:DateTime", "dc:date", "PreviewDateTime", "©day", "creation time",
        "com.apple.quicktime.creationdate", "TDRC", "TYER", "TDAT", "TIME", "TDEN", "TDTG", "TDRL",
        "TORY", "TDOR", "ICRD", "IDIT", "DATE", "YEAR", "DATE_RECORDED", "CREATION_TIME",
        "record date", "DateUTC", "TimeZoneOffset", "1:70 DateSent", "1:80 TimeSent",
        "2:47 ReferenceDate", "date:create", "date:modify", "date:timestamp", "TYE", "TDA", "TIM",
        "TRD", "TRDA", "TOR", "purd", "yrrc", "DTIM", "OriginationDate", "OriginationTime", "crtt",
        "mdft", "other time",
      ]
    ),
    (
      .text,
      [
        "DocumentName", "ImageDescription", "PageName", "UserComment", "XPTitle", "XPComment",
        "XPKeywords", "XPSubject", "2:5 ObjectName", "2:25 Keywords", "2:40 SpecialInstructions",
        "2:105 Headline", "2:120 Caption", "dc:title", "dc:description", "dc:subject",
        "photoshop:Headline", "photoshop:Instructions", "photoshop:TransmissionReference",
        "exif:UserComment", "tiff:ImageDescription", "lightroom:hierarchicalSubject", "xmp:Label",
        "xmp:Nickname", "Iptc4xmpCore:Scene", "Iptc4xmpCore:SubjectCode", "©nam", "titl", "©des",
        "desc", "ldes", "dscp", "©cmt", "©inf", "©lyr", "©gen", "©alb", "kywd",
        "com.apple.quicktime.title", "com.apple.quicktime.displayname",
        "com.apple.quicktime.description", "com.apple.quicktime.comment",
        "com.apple.quicktime.keywords", "com.apple.quicktime.information", "TIT1", "TIT2", "TT2",
        "TIT3", "TALB", "TCON", "TRCK", "COMM", "COM", "USLT", "TXXX", "INAM", "ICMT", "IGNR",
        "IKEY", "ISBJ", "IPRD", "TITLE", "DESCRIPTION", "COMMENT", "SUMMARY", "SYNOPSIS", "ALBUM",
        "GENRE", "LYRICS", "TRACKNUMBER", "NAME", "ANNO", "cart", "TrackName", "KEYWORDS",
        "SUBJECT", "tEXt", "zTXt", "iTXt", "plain text", "ImageTitle", "ImageHistory",
        "SecurityClassification", "2:12 SubjectReference", "2:15 Category",
        "2:20 SupplementalCategories", "2:22 FixtureIdentifier",
        "2:103 OriginalTransmissionReference", "2:121 LocalCaption", "2:230 DocumentNotes",
        "2:231 DocumentHistory", "2:255 CatalogSets", "TT1", "TT3", "TAL", "TCO", "TRK", "TPA",
        "TPOS", "TXX", "ULT", "SLT", "SYLT", "USER", "TOAL", "TOT", "TOFN", "TOF", "TSOA", "TSA",
        "TSOT", "TST", "TSST", "TMOO", "TDES", "TKWD", "TCAT", "GRP1", "GP1", "MVNM", "Lyrics3",
        "LYR", "INF", "EAL", "ETT", "gnre", "trkn", "©grp", "albm", "tvsh", "tvnn", "tven", "catg",
        "keyw", "©st3", "GENR", "ITRK", "COMT", "Track", "udes", "altt", "other text",
      ]
    ),
    (
      .contentCredentials,
      [
        "C2PA manifest store"
      ]
    ),
    (
      .other,
      [
        "xmp:Rating", "com.apple.quicktime.rating.user", "POPM", "POP", "Rating", "IRTD", "APIC",
        "PIC", "PRIV", "GEOB", "UFID", "METADATA_BLOCK_PICTURE", "InteropIndex", "InteropVersion",
        "SubfileType", "ImageWidth", "ImageHeight", "BitsPerSample", "Compression",
        "PhotometricInterpretation", "StripOffsets", "Orientation", "SamplesPerPixel",
        "RowsPerStrip", "StripByteCounts", "XResolution", "YResolution", "PlanarConfiguration",
        "ResolutionUnit", "TransferFunction", "WhitePoint", "PrimaryChromaticities",
        "ThumbnailOffset", "ThumbnailLength", "YCbCrCoefficients", "YCbCrPositioning",
        "ReferenceBlackWhite", "XMP", "RatingPercent", "ExposureTime", "FNumber", "IPTC",
        "Photoshop", "ICC_Profile", "ExposureProgram", "ISO", "SensitivityType", "ExifVersion",
        "ComponentsConfiguration", "CompressedBitsPerPixel", "ShutterSpeedValue", "ApertureValue",
        "BrightnessValue", "ExposureCompensation", "MaxApertureValue", "SubjectDistance",
        "MeteringMode", "LightSource", "Flash", "FocalLength", "SubjectArea", "FlashpixVersion",
        "ColorSpace", "ExifImageWidth", "ExifImageHeight", "RelatedSoundFile",
        "FocalPlaneXResolution", "FocalPlaneYResolution", "FocalPlaneResolutionUnit",
        "ExposureIndex", "SensingMethod", "FileSource", "SceneType", "CFAPattern", "CustomRendered",
        "ExposureMode", "WhiteBalance", "DigitalZoomRatio", "FocalLengthIn35mmFormat",
        "SceneCaptureType", "GainControl", "Contrast", "Saturation", "Sharpness",
        "SubjectDistanceRange", "CompositeImage", "Padding", "other Exif tag", "other XMP property",
        "other IPTC dataset", "other movie value", "other tag of a sound or film", "color profile",
        "trailer", "preview", "JFIF thumbnail", "other part", "ImageNumber",
      ]
    ),
    (
      .soundTrack,
      [
        "sound track"
      ]
    ),
  ]
}
