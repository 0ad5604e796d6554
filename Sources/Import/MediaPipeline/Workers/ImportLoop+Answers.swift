internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
internal import MediaModel
internal import MediaSources
internal import MediaWorkerPool
internal import MediaWorkerProtocol

extension ImportLoop {
  /// Handles one message of a worker about its first job.
  ///
  /// - Throws: `ProtocolError` for a breach, `RunError` when the library cannot be written.
  func handle(_ message: WorkerMessage, about job: SentItem) throws {
    let (item, attempt) = (job.item, job.attempt)
    switch message {
    case .facts(_, let facts, let digest, let accepted, let isCut):
      guard let digest, attempt.claim == nil, item.sidecarFormat == nil,
        accepted == item.source.acceptedMediaTypes.contains(facts.format.mediaType),
        accepted || !isCut,
        facts.embeddedMovie?.fits(Int(item.planned.status.size)) != false
      else { throw ProtocolError("facts that do not fit the job") }
      var claim = ItemWork.Claim(
        facts: context.completed(facts, of: item),
        digest: digest,
        isAccepted: accepted
      )
      claim.isCut = isCut
      try take(claim, of: job, isHalf: facts.contentIdentifier != nil)
    case .edit(_, let operations):
      guard item.needsEditList, attempt.output != nil else {
        throw ProtocolError("an edit list that was not requested")
      }
      try attempt.output?.assembler.append(operations)
    case .editEnd(_, let removed):
      guard item.needsEditList, attempt.output != nil else {
        throw ProtocolError("an edit list that was not requested")
      }
      attempt.hasLostSound = removed.contains { $0.tag == .soundTrack }
      attempt.removed = context.loaded.manifest.receipts.receipt(of: removed)
      try attempt.output?.assembler.close()
    case .thumbnail: try takeThumbnail(message, for: job)
    case .sidecar(_, let description, let digest):
      try attempt.takeSidecar(description, digest, of: item)
    case .hello, .entries, .content, .points, .places, .film, .filmProgress,
      .inflatePoint:
      throw ProtocolError("an answer that was not requested")
    case .done where item.sidecarFormat != nil:
      guard let sidecar = attempt.sidecar else {
        throw ProtocolError("an answer that is not whole")
      }
      if attempt.hasChanged(for: item) {
        try fail(item, attempt, in: job.batch, .changedDuringRun, .read, "")
      } else {
        item.finish(with: sidecar)
      }
    case .done:
      let count = item.thumbnails.count { attempt.isMade($0) }
      guard isWhole(attempt, of: item), !item.isAccepted || attempt.thumbnails.count == count else {
        throw ProtocolError("an answer that is not whole")
      }
      attempt.isAnswered = true
    case .failed(_, let step, let reason, let detail):
      try takeFailure(reason, step, detail, of: job)
    }
  }

  /// Takes what a worker says a file is, and begins its output.
  private func take(
    _ claim: ItemWork.Claim,
    of job: SentItem,
    isHalf: Bool
  ) throws {
    let item = job.item
    var claim = claim
    claim.isFetched = !claim.isAccepted || item.isFetched(claim.facts)
    job.attempt.claim = claim
    // Half of a live photo is fetched with its still, which only the whole batch tells. What the worker
    // says later of any other item is ignored.
    if !item.isFetched, !item.isPairable, !isHalf { return item.end(.notFetched, .metadata) }
    if claim.isAccepted && item.stored == nil { try beginOutput(of: job, claim.facts) }
  }

  /// Ends an item that a worker could not read, or leaves out thumbnails that it could not make.
  private func takeFailure(
    _ reason: ItemReason,
    _ step: ItemStep,
    _ detail: String,
    of job: SentItem
  ) throws(RunError) {
    let (item, attempt) = (job.item, job.attempt)
    // Nothing but thumbnails needs a decoder, once the whole output is known.
    if [.decoderMissing, .overLimit].contains(reason), item.isAccepted,
      isWhole(attempt, of: item), item.thumbnails.contains(where: attempt.isMade)
    {
      attempt.lack = (reason, detail)
      attempt.isAnswered = true
      return
    }
    var allowed: Set<ItemReason> = [
      .stripUnsupported, .damaged, .overLimit, .unknownFormat, .cannotRead, .workerCrashed,
      .decoderMissing,
    ]
    // Its sound cannot be removed, or it has no pictures.
    if item.source.audioRefusal != nil { allowed.insert(.microphoneRefused) }
    var acceptedReason = allowed.contains(reason) ? reason : .workerProtocol
    if acceptedReason == .unknownFormat, item.isNamedAsWanted,
      detail != MediaName.textDetail || !MediaName.isOfTexts(fileExtension: item.planned.path.fileExtension)
    {
      acceptedReason = .contentUnknown
    }
    try fail(item, attempt, in: job.batch, acceptedReason, step, detail)
  }

  /// Whether a worker has said all of an item but its thumbnails. A file that is cut has to fail, unless
  /// the manifest accepts it.
  private func isWhole(_ attempt: ItemAttempt, of item: ItemWork) -> Bool {
    guard let claim = attempt.claim, attempt.partial == nil else { return false }
    return (context.loaded.manifest.acceptsDamaged || !claim.isCut)
      && (!claim.isAccepted || item.stored != nil || attempt.output?.assembler.isClosed == true)
  }

  /// Creates the item's output file, under its final name.
  private func beginOutput(of job: SentItem, _ facts: Facts) throws {
    let (item, folder) = (job.item, job.batch.folder)
    let label = context.label(of: item, facts: facts)
    let length = UInt64(item.planned.status.size)
    try FileSystem.makeFolder(in: folder, [UInt8](item.stagedName.utf8))
    let role = ResourceRole(mediaType: facts.format.mediaType)
    let assembler = try OutputAssembler(
      source: job.attempt.file,
      status: item.openedStatus,
      length: length,
      folder: folder,
      subfolder: item.stagedName,
      fileName: label.fileName(role: role, fileExtension: facts.format.fileExtension)
    )
    job.attempt.output = (label, assembler)
    if !item.needsEditList {
      try job.attempt.output?.assembler.append([.copy(offset: 0, length: length)])
      try job.attempt.output?.assembler.close()
    }
  }

  /// The most pixels of a picture that is drawn, whatever the limit is for pictures that are read.
  private static let drawnPixels = 1 << 24

  private func takeThumbnail(_ message: WorkerMessage, for job: SentItem) throws {
    let (item, attempt) = (job.item, job.attempt)
    guard item.isAccepted else { throw ProtocolError("a thumbnail that was not requested") }
    let made = try MadeThumbnails.take(message, into: &attempt.partial, of: item.thumbnails) {
      spec,
      size in
      !attempt.thumbnails.contains { $0.spec.name == spec.name } && attempt.isMade(spec)
        && (!spec.isMaximum
          || size.width * size.height <= max(item.limits.pixels, Self.drawnPixels))
    }
    guard let made else { return }
    attempt.thumbnails.append(
      try StagedFile.write(made.bytes, of: item, made.spec, made.size, made.hashes, in: job.batch)
    )
  }
}
