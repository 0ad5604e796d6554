import Testing

@testable import MediaModel
@testable import MediaWorkerProtocol

@Suite("Requests of commands that make a folder from a library")
struct PictureRequestTests {
  private static let cell = ContactSheetCell(
    left: 16,
    top: 300,
    size: PixelSize(width: 256, height: 256),
    label: "größe 日本",
    labelSize: 16
  )

  private static func sheet(_ part: SheetJob.Part) -> SheetJob {
    SheetJob(
      identifier: .max,
      pageSize: PixelSize(width: 1648, height: 2088),
      background: RGBColor(red: 1, green: 2, blue: 3),
      part: part
    )
  }

  private static let facts: EmbeddedFacts = {
    var facts = EmbeddedFacts(
      packet: Array("<x/>".utf8),
      date: CaptureDate(local: "2019-07-04T10:15:30", offsetMinutes: -90, tag: "mvhd"),
      place: MediaDescription.Place(latitude: -337_654_321, longitude: 1_799_999_999)
    )
    facts.keepsCopyright = true
    facts.rotation = 270
    return facts
  }()

  static let requests: [WorkerRequest] = [
    .convert(ConvertJob(identifier: 0, quality: 1)),
    .convert(ConvertJob(identifier: .max, quality: 100)),
    .convert(ConvertJob(identifier: 2, quality: 90, facts: facts)),
    .embed(EmbedJob(identifier: 3, facts: EmbeddedFacts(packet: [0x3C]))),
    .embed(EmbedJob(identifier: .max, facts: facts)),
    .sheet(sheet(.cell(cell))), .sheet(sheet(.end(quality: 85))),
    .location(LocationJob(identifier: .max, data: .tracks)),
    .location(LocationJob(identifier: 1, data: .placeNames)),
    .film(FilmJob(identifier: 4, height: 144)),
    .film(FilmJob(identifier: .max, height: 2160, rotation: 90)),
  ]

  /// The content of a request's frame, without its length.
  private func content(_ request: WorkerRequest) throws -> [UInt8] {
    var reader = FrameReader()
    request.frame.withUnsafeBytes { reader.append($0) }
    return Array(try #require(try reader.next()))
  }

  @Test(
    "Every request is read as it was written, and no beginning of it is one",
    arguments: requests
  )
  func roundTrip(_ request: WorkerRequest) throws {
    let whole = try content(request)
    #expect(try WorkerRequest(frame: whole[...]) == request)
    for count in 1..<whole.count {
      #expect(throws: ProtocolError.self) { try WorkerRequest(frame: whole[..<count]) }
    }
    #expect(throws: ProtocolError.self) { try WorkerRequest(frame: whole[...] + [0]) }
  }

  @Test("A cell that is not on its page, and a quality that is none, are no requests")
  func bounds() throws {
    func expectRefused(_ request: WorkerRequest) throws {
      let frame = try content(request)
      #expect(throws: ProtocolError.self) { try WorkerRequest(frame: frame[...]) }
    }
    var outside = Self.cell
    outside.left = 1648 - 255
    try expectRefused(.sheet(Self.sheet(.cell(outside))))
    outside = Self.cell
    outside.top = 2088 - 255
    try expectRefused(.sheet(Self.sheet(.cell(outside))))
    outside = Self.cell
    outside.labelSize = 1001
    try expectRefused(.sheet(Self.sheet(.cell(outside))))
    for quality in [0, 101] {
      try expectRefused(.sheet(Self.sheet(.end(quality: quality))))
      try expectRefused(.convert(ConvertJob(identifier: 1, quality: quality)))
    }
  }
}
