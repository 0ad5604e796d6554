internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaWorkerProtocol

extension ImportLoop {
  /// Takes one message of a worker on, about the item that it works on.
  ///
  /// - Throws: `ProtocolError` for a breach, `RunError` when the library cannot be written.
  func handle(_ message: WorkerMessage, from worker: Worker) throws {
    guard let identifier = message.job, let (batch, item) = jobs[identifier] else { return }
    switch message {
    case .hello: break
    case .facts(_, let facts, let digest, let accepted):
      guard item.facts == nil,
        accepted
          == item.source.acceptedMediaTypes.contains(
            facts.format.mediaType
          )
      else { throw ProtocolError("facts that do not fit the job") }
      item.facts = facts
      item.claimedDigest = digest
      item.accepted = accepted
      if accepted && item.known == nil { try beginOutput(of: item, in: batch) }
    case .edit(_, let operations):
      guard item.needsEditList, item.assembler != nil else {
        throw ProtocolError("an edit list that nobody asked for")
      }
      try item.assembler?.append(operations)
    case .editEnd(_, let removed):
      guard item.needsEditList, item.assembler != nil else {
        throw ProtocolError("an edit list that nobody asked for")
      }
      item.removed = removed
      try item.assembler?.close()
    case .thumbnail(_, let name, let size, let bytes, let isLast):
      try take(name, size, bytes, isLast: isLast, for: item, in: batch)
    case .done:
      let missesThumbnails =
        item.accepted && item.made.count != item.thumbnails.count
      let missesOutput = item.accepted && item.known == nil && item.assembler?.isClosed != true
      guard item.facts != nil, item.partial == nil, !missesThumbnails, !missesOutput else {
        throw ProtocolError("an answer that is not whole")
      }
      jobs[identifier] = nil
      item.hasAnswered = true
    case .failed(_, let step, let reason, let detail):
      jobs[identifier] = nil
      worker.isRetiring = worker.isRetiring || step == .decode || step == .thumbnail
      var allowed: Set<ItemReason> = [
        .stripUnsupported, .damaged, .overLimit, .unknownFormat, .cannotRead, .workerCrashed,
        .decoderMissing,
      ]
      // Its sound cannot be taken out, or it has nothing else.
      if item.source.soundRefusal != nil { allowed.insert(.microphoneRefused) }
      try fail(
        item,
        in: batch,
        allowed.contains(reason) ? reason : .workerProtocol,
        step,
        detail
      )
    }
  }

  /// Makes the file that the item's output goes into, under the name that it will have.
  private func beginOutput(of item: ItemWork, in batch: BatchWork) throws {
    guard let facts = item.facts, let file = item.file else { return }
    let label = run.label(of: item, facts: facts)
    item.label = label
    do {
      let name = [UInt8](item.stagedName.utf8)
      try FileSystem.makeFolder(in: batch.folder, name)
      let folder = try FileSystem.openForReading(
        beneath: batch.folder,
        name,
        crossMounts: true,
        isFolder: true
      )
      let role = ResourceRole(mediaType: facts.format.mediaType)
      var assembler = try OutputAssembler(
        source: file,
        length: UInt64(item.planned.status.size),
        folder: folder,
        fileName: label.fileName(role: role, fileExtension: facts.format.fileExtension)
      )
      if !item.needsEditList {
        let length = UInt64(item.planned.status.size)
        try assembler.append([.copy(offset: 0, length: length)])
        try assembler.close()
      }
      item.assembler = assembler
    } catch let error as FileSystemError {
      throw RunError(writing: error)
    }
  }

  private func take(
    _ name: String,
    _ size: PixelSize,
    _ bytes: [UInt8],
    isLast: Bool,
    for item: ItemWork,
    in batch: BatchWork
  ) throws {
    guard item.accepted else { throw ProtocolError("a thumbnail that nobody asked for") }
    if item.partial == nil {
      guard let spec = item.thumbnails.first(where: { $0.name == name }),
        !item.made.contains(where: { $0.spec.name == name }),
        (1...spec.size.width).contains(size.width), (1...spec.size.height).contains(size.height)
      else { throw ProtocolError("a thumbnail that nobody asked for") }
      item.partial = (spec, size, [])
    }
    guard var partial = item.partial, partial.spec.name == name, partial.size == size else {
      throw ProtocolError("two thumbnails in one")
    }
    // Held once, so that adding to it does not copy it.
    item.partial = nil
    partial.bytes += bytes
    guard partial.bytes.count <= (1 << 20) + 4 * size.width * size.height else {
      throw ProtocolError("a thumbnail that is too long")
    }
    item.partial = isLast ? nil : partial
    guard isLast else { return }
    guard partial.spec.format.starts(partial.bytes) else {
      throw ProtocolError("a thumbnail that is no \(partial.spec.format.rawValue)")
    }
    do {
      item.made.append(try StagedFile.write(partial.bytes, of: item, partial.spec, size, in: batch))
    } catch {
      throw RunError(writing: error)
    }
  }
}

extension ThumbnailFormat {
  /// Whether a file of that format starts like this.
  fileprivate func starts(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
    case .png: bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case .webp: bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
    }
  }
}
