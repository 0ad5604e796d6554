package import MediaModel

extension MediaFormat {
  /// The reader of this format's header; nil for formats with a parser of their own.
  package var pictureHeader: (any PictureHeader.Type)? { Self.headers[self] }

  /// A format, and the reader of its header.
  package typealias HeaderRow = (format: MediaFormat, header: any PictureHeader.Type)

  /// The formats that their signature alone tells: a broken header is damage.
  private static let signedHeaders: [HeaderRow] = [
    (.psd, PSDHeader.self), (.psb, PSDHeader.self), (.jp2, JP2Header.self), (.dds, DDSHeader.self),
    (.xcf, XCFHeader.self),
  ]

  /// The other formats whose first bytes belong to no other format, if their whole header makes sense.
  package static let markedHeaders: [HeaderRow] = [(.j2k, J2KHeader.self), (.qoi, QOIHeader.self)]

  /// The formats with a short signature or none, in the order in which they are tried, after all others:
  /// their whole header has to make sense.
  package static let weaklyMarkedHeaders: [HeaderRow] = [
    (.ico, ICOHeader.self), (.sgi, SGIHeader.self), (.pnm, PNMHeader.self), (.pcx, PCXHeader.self),
    (.jxl, JXLHeader.self), (.tga, TGAHeader.self),
  ]

  private static let headers = Dictionary(
    (signedHeaders + markedHeaders + weaklyMarkedHeaders).map { ($0.format, $0.header) },
    uniquingKeysWith: { first, _ in first }
  )
}
