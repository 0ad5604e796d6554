package import MediaModel

extension MediaFormat {
  /// The reader of this format's header; nil for formats with a parser of their own.
  package var pictureHeader: (any PictureHeader.Type)? {
    switch self {
    case .psd, .psb: PSDHeader.self
    case .tga: TGAHeader.self
    case .jp2: JP2Header.self
    case .j2k: J2KHeader.self
    case .pnm: PNMHeader.self
    case .ico: ICOHeader.self
    case .pcx: PCXHeader.self
    case .sgi: SGIHeader.self
    case .dds: DDSHeader.self
    case .xcf: XCFHeader.self
    case .jxl: JXLHeader.self
    default: nil
    }
  }
}
