internal import MediaModel
package import MediaWorkerProtocol

/// The requests of a page's process to its viewer.
package enum ViewerRequest: Sendable, Hashable {
  /// The names of the source, once.
  case list
  /// The picture of the candidate with this index, in the order of the list.
  case picture(Int)

  /// The pictures that a viewer is asked for at once, at most.
  package static let maximumPictures = 4
}

extension ViewerRequest: WireValue {
  package func put(into writer: inout WireWriter) {
    switch self {
    case .list: writer.put(UInt8(1))
    case .picture(let index):
      writer.put(UInt8(2))
      writer.put(UInt32(clamping: index))
    }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    switch try reader.integer(UInt8.self) {
    case 1: self = .list
    case 2: self = .picture(Int(try reader.integer(UInt32.self)))
    default: throw ProtocolError("no request of a page")
    }
  }
}

/// The messages of a viewer to the page's process.
package enum ViewerMessage: Sendable, Hashable {
  /// The next candidates of the list.
  case names([PickCandidate])
  /// The end of the list, with the number of folders and archives that could not be listed.
  case listed(unlistedCount: Int)
  /// The picture of a candidate, a JPEG; empty where there is none.
  case picture(Int, [UInt8])
  /// The capture times of candidates that were listed without one, each once; nothing follows the last message.
  case times([CaptureTime], isLast: Bool)
  /// The viewer can show nothing.
  case failed(ConsentError.Code)

  /// The time when a candidate was taken.
  package struct CaptureTime: Sendable, Hashable {
    /// The candidate's index in the order of the list.
    package var index: Int
    /// As ``PickCandidate/taken``.
    package var taken: Int64

    /// Makes a time.
    package init(index: Int, taken: Int64) { (self.index, self.taken) = (index, taken) }
  }

  /// The most times of one message.
  package static let maximumTimes = 256
  /// The most bytes of a picture.
  package static let maximumPictureLength = 256 << 10
  /// The most bytes of a path. Source: Linux, PATH_MAX.
  private static let maximumPathLength = 4096
}

extension ViewerMessage: WireValue {
  package func put(into writer: inout WireWriter) {
    switch self {
    case .names(let candidates):
      writer.put(UInt8(1))
      writer.put(UInt32(candidates.count))
      for candidate in candidates {
        writer.put(UInt8(clamping: candidate.files.count))
        for file in candidate.files { writer.put(file.bytes) }
        writer.put(candidate.size)
        writer.put(candidate.modified)
        writer.put(candidate.taken) { $0.put($1) }
        writer.put(candidate.title) { $0.put($1) }
        writer.put(UInt8(clamping: candidate.albums.count))
        for album in candidate.albums { writer.put(album) }
      }
    case .listed(let count):
      writer.put(UInt8(2))
      writer.put(UInt32(clamping: count))
    case .picture(let index, let bytes):
      writer.put(UInt8(3))
      writer.put(UInt32(clamping: index))
      writer.put(bytes)
    case .failed(let code):
      writer.put(UInt8(4))
      writer.put(code.rawValue)
    case .times(let times, let isLast):
      writer.put(UInt8(5))
      writer.put(UInt32(times.count))
      for time in times {
        writer.put(UInt32(clamping: time.index))
        writer.put(time.taken)
      }
      writer.put(isLast)
    }
  }

  /// Reads the fields, and refuses a picture that does not begin like a JPEG.
  package init(from reader: inout WireReader) throws(ProtocolError) {
    switch try reader.integer(UInt8.self) {
    case 1:
      var candidates: [PickCandidate] = []
      for _ in 0..<(try reader.count(limit: PickRequest.maximumLimit)) {
        candidates.append(try Self.candidate(&reader))
      }
      self = .names(candidates)
    case 2: self = .listed(unlistedCount: Int(try reader.integer(UInt32.self)))
    case 3:
      let index = Int(try reader.integer(UInt32.self))
      let bytes = try reader.blob(limit: Self.maximumPictureLength)
      // Source: ITU-T T.81, section B.1.1.3: SOI, and the prefix of the next marker.
      guard bytes.isEmpty || bytes.starts(with: [0xFF, 0xD8, 0xFF]) else {
        throw ProtocolError("a picture that is no JPEG")
      }
      self = .picture(index, bytes)
    case 4: self = .failed(try reader.choice())
    case 5:
      var times: [CaptureTime] = []
      for _ in 0..<(try reader.count(limit: Self.maximumTimes)) {
        let index = Int(try reader.integer(UInt32.self))
        times.append(CaptureTime(index: index, taken: try reader.integer()))
      }
      self = .times(times, isLast: try reader.bool())
    default: throw ProtocolError("no message of a viewer")
    }
  }

  private static func candidate(_ reader: inout WireReader) throws(ProtocolError) -> PickCandidate {
    let count = try reader.integer(UInt8.self)
    guard (1...PickCandidate.maximumFileCount).contains(Int(count)) else {
      throw ProtocolError("an item of \(count) files")
    }
    var files: [ItemPath] = []
    for _ in 0..<count {
      let bytes = try reader.blob(limit: maximumPathLength)
      guard !bytes.isEmpty, !bytes.contains(0) else { throw ProtocolError("no path") }
      files.append(ItemPath(bytes: bytes))
    }
    var candidate = PickCandidate(files: files, size: try reader.integer(), modified: try reader.integer())
    if try reader.bool() { candidate.taken = try reader.integer() }
    if try reader.bool() {
      candidate.title = try reader.text(limit: PickCandidate.maximumTitleLength)
    }
    let albumCount = Int(try reader.integer(UInt8.self))
    guard albumCount <= PickCandidate.maximumAlbumCount else {
      throw ProtocolError("an item of \(albumCount) albums")
    }
    for _ in 0..<albumCount {
      candidate.albums.append(try reader.text(limit: PickCandidate.maximumTitleLength))
    }
    return candidate
  }
}
