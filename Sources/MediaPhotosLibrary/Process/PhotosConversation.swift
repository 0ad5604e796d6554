internal import Glibc
internal import MediaFileSystem
internal import MediaSandbox
internal import MediaWorkerProtocol

/// The conversation with a process that reads a library's database: a task, then what it says.
struct PhotosConversation {
  /// The end of the socket that does not block.
  let socket: Int32
  /// False only under `"enforcement": "process"`.
  let enforcesByKernel: Bool

  /// The milliseconds after which a process that sends nothing is given up: sorting a million keywords on a slow disk
  /// takes some.
  private static let patience: Int32 = 300_000

  /// Sends the task, and takes what the process says until all was said.
  ///
  /// - Parameters:
  ///   - files: The database and its write-ahead log.
  ///   - exit: Tells how a process ended that has closed its end.
  /// - Returns: What the database says, all of it.
  /// - Throws: ``PhotosLibraryError``.
  func read(
    _ files: PhotosReader.Files,
    exit: () -> String
  ) throws(PhotosLibraryError) -> PhotosIndex {
    let task = PhotosReaderTask(
      enforcesByKernel: enforcesByKernel,
      database: .init(name: "Photos.sqlite", files.database),
      log: files.log.map { .init(name: "Photos.sqlite-wal", $0) }
    )
    do {
      try DescriptorPassing.sendWhole(task.frame, files.folder.raw, over: socket)
      return try receive(exit)
    } catch let error as PhotosLibraryError {
      throw error
    } catch {
      throw PhotosLibraryError(.readerEnded, "\(error)")
    }
  }

  private func receive(_ exit: () -> String) throws -> PhotosIndex {
    var answer = PhotosAnswer()
    var frames = FrameReader()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while !answer.isWhole {
      try wait()
      let count = try buffer.withUnsafeMutableBytes { bytes -> Int? in
        let received = try DescriptorPassing.receive(
          into: bytes,
          over: socket,
          acceptDescriptor: false
        )
        guard let received else { return nil }
        frames.append(UnsafeRawBufferPointer(rebasing: bytes[..<received.count]))
        return received.count
      }
      if count == 0 { throw PhotosLibraryError(.readerEnded, exit()) }
      while let frame = try frames.next() { try answer.take(try PhotosMessage(frame: frame)) }
    }
    return answer.index
  }

  private func wait() throws(PhotosLibraryError) {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while true {
      let ready = poll(&entry, 1, Self.patience)
      if ready > 0 { return }
      if ready == 0 { throw PhotosLibraryError(.readerEnded, "no answer") }
      guard errno == EINTR || errno == EAGAIN else {
        throw PhotosLibraryError(.readerEnded, FileSystemError.text(errno))
      }
    }
  }
}

/// What was received so far, within the bounds of an index.
struct PhotosAnswer {
  private(set) var index = PhotosIndex()
  private(set) var isWhole = false
  private var uuids: [String] = []
  private var album: PhotosAlbum?
  private var albums = 0
  private var members = 0

  /// Takes one message.
  ///
  /// - Throws: `ProtocolError` for one that must not come now; ``PhotosLibraryError`` that the process sent.
  mutating func take(_ message: PhotosMessage) throws {
    switch message {
    case .assets(let assets):
      guard albums == 0, uuids.count + assets.count <= PhotosIndex.maximumAssets else {
        throw ProtocolError("assets that must not come")
      }
      for asset in assets {
        uuids.append(asset.uuid)
        index.add(asset)
      }
    case .album(let next, let members):
      finishAlbum()
      albums += 1
      guard albums <= PhotosIndex.maximumAlbums else { throw ProtocolError("too many albums") }
      album = next
      try add(members)
    case .members(let members):
      guard album != nil else { throw ProtocolError("members of no album") }
      try add(members)
    case .end(let version, let rows):
      finishAlbum()
      index.modelVersion = version
      index.unusableRows += rows
      isWhole = true
    case .failed(let error): throw error
    }
  }

  private mutating func add(_ places: [UInt32]) throws(ProtocolError) {
    members += places.count
    guard members <= PhotosIndex.maximumMembers else { throw ProtocolError("too many members") }
    for place in places {
      guard Int(place) < uuids.count else { throw ProtocolError("no such member") }
      album?.members.append(uuids[Int(place)])
    }
  }

  private mutating func finishAlbum() {
    if let album { index.add(album) }
    album = nil
  }
}
