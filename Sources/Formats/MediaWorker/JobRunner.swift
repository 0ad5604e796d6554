internal import MediaCodecs
internal import MediaContainers
internal import MediaDigest
internal import MediaImaging
import MediaMetadata
internal import MediaModel
import MediaStripping
internal import MediaWorkerProtocol

/// Performs one job: hashes the file, reads metadata, makes the edit list, and decodes once for all
/// thumbnails.
final class JobRunner {
  /// The thumbnailer with the limits of the first job; a worker serves one run.
  private var thumbnailer: (limits: ItemLimits, maker: ImageThumbnailer)?

  /// The step of a job that failed.
  struct Failure: Error {
    var step: ItemStep
    var reason: ItemReason
    var detail: String
  }

  /// Sends the answers in the order of ``WorkerMessage``. Each part is sent as soon as it is known,
  /// so that the coordinator writes the output while the picture is decoded.
  ///
  /// - Parameters:
  ///   - job: The job to perform.
  ///   - file: The whole file.
  ///   - answer: Sends one frame.
  /// - Throws: ``Failure``, after which no other message of the job follows.
  func run(
    _ job: Job,
    _ file: borrowing SourceBytes,
    answer: ([UInt8]) -> Void
  ) throws(Failure) {
    let bytes = file.bytes
    let source = ByteSource(bytes)
    if let format = job.sidecar {
      return try describe(format, source, file, job.identifier, answer: answer)
    }
    let preview = job.wantsEditList ? try rawPreview(of: source, job) : nil
    guard let format = preview?.facts.format ?? FormatSniffer.format(of: source) else {
      throw Failure(step: .metadata, reason: .unknownFormat, detail: Self.content(of: source))
    }
    var facts = try Self.facts(of: source, format, preview, job)
    // A file that is kept is copied whatever its size in pixels; only its thumbnails need a decoder.
    let excess = Self.excess(of: facts, over: job.limits)
    if let excess, job.isStripped { throw excess }
    if !job.allowsAudio, !job.isStripped, format.mediaType == .image {
      try Self.checkSound(in: bytes, job, &facts)
    }
    let accepted = job.acceptedMediaTypes.contains(format.mediaType)
    let missing = accepted ? Self.missingPart(of: source, format, preview) : nil
    // The coordinator pairs a live photo by these facts, also when the file then fails.
    answer(
      WorkerMessage.facts(
        job: job.identifier,
        facts,
        sourceSHA256: job.wantsDigest ? Self.digest(of: file) : nil,
        accepted: accepted,
        isCut: missing != nil
      ).frame
    )
    if let missing, !job.acceptsDamaged { throw Self.cut(source, missing, at: .metadata) }
    if accepted {
      let cache = PictureDataCache(keepsPixels: !job.thumbnails.isEmpty)
      let mutes = job.strip.removesAudio && format.mediaType == .video
      if mutes, !facts.tracks.contains(where: { $0.kind == .video }) {
        throw Failure(step: .strip, reason: .microphoneRefused, detail: "it has no pictures")
      }
      if let list = Self.cutList(job, facts) {
        for frame in WorkerMessage.frames(ofEditList: list, job: job.identifier) { answer(frame) }
      } else if job.wantsEditList || mutes {
        var job = job
        // The coordinator pairs by this fact: an identifier that it does not know is not written.
        if facts.contentIdentifier == nil || preview != nil { job.strip.pairingKey = nil }
        try makeEditList(job, source, bytes, format, preview, missing, cache, answer: answer)
      }
      var job = job
      job.thumbnails.removeAll { !$0.accepts(format.mediaType) }
      if !job.thumbnails.isEmpty {
        if let excess { throw excess }
        let shown = preview.map { UnsafeRawBufferPointer(rebasing: bytes[$0.range]) } ?? bytes
        try makeThumbnails(job, shown, facts, cache, answer: answer)
      }
    }
    answer(WorkerMessage.done(job: job.identifier).frame)
  }

  /// Reads the facts, and the description if the job wants it.
  private static func facts(
    of source: ByteSource,
    _ format: MediaFormat,
    _ preview: RawPreview?,
    _ job: Job
  ) throws(Failure) -> Facts {
    do throws(MetadataError) {
      var facts: Facts
      if let preview {
        facts = preview.facts
      } else if job.wantsDescription || job.strip.keepsFacts {
        facts = try MetadataReader.describedFacts(of: source, format: format)
      } else {
        return try MetadataReader.facts(of: source, format: format)
      }
      // Of a stripped file no more is sent than it still says.
      if !job.wantsDescription { facts.description = facts.publishable(under: job.strip).description }
      return facts
    } catch {
      throw Failure(step: .metadata, reason: error.itemReason, detail: error.description)
    }
  }

  /// Looks for sound in a picture that is kept while sound is refused, and enters into `facts` how many
  /// tracks there are.
  ///
  /// - Throws: ``Failure`` for sound that may not be there and cannot be cut off.
  private static func checkSound(
    in bytes: UnsafeRawBufferPointer,
    _ job: Job,
    _ facts: inout Facts
  ) throws(Failure) {
    let count = EmbeddedAudio.trackCount(in: bytes)
    facts.embeddedMovie?.soundTrackCount = count
    if count == 0 || job.soundInPicture == .unwritten { return }
    if job.soundInPicture == .cut, let length = facts.embeddedMovie?.stillLength,
      EmbeddedAudio.trackCount(in: UnsafeRawBufferPointer(rebasing: bytes.prefix(length))) == 0
    {
      return
    }
    let detail = "it has a movie with sound in the picture"
    throw Failure(step: .metadata, reason: .microphoneRefused, detail: detail)
  }

  /// Returns the edit list of a motion photo whose movie is cut off; nil for any other file.
  private static func cutList(_ job: Job, _ facts: Facts) -> EditList? {
    guard !job.allowsAudio, job.soundInPicture == .cut, let movie = facts.embeddedMovie,
      movie.soundTrackCount > 0, let length = movie.stillLength
    else { return nil }
    return EditList(
      operations: [.copy(offset: 0, length: UInt64(length))],
      removedTags: [RemovedTag(.soundTrack, count: movie.soundTrackCount)]
    )
  }

  /// Returns the failure of a file that a decoder may not have, for its frames or its pixels.
  private static func excess(of facts: Facts, over limits: ItemLimits) -> Failure? {
    if let frames = facts.frameCount, frames > limits.frames {
      let detail = "overLimit: frames: \(frames), at most \(limits.frames) are allowed"
      return Failure(step: .metadata, reason: .overLimit, detail: detail)
    }
    guard let size = facts.pixelSize else { return nil }
    let (pixels, overflows) = size.width.multipliedReportingOverflow(by: size.height)
    guard overflows || pixels > limits.pixels else { return nil }
    let detail =
      "overLimit: pixels: \(size.width)x\(size.height), at most \(limits.pixels) are allowed"
    return Failure(step: .metadata, reason: .overLimit, detail: detail)
  }

  /// Sends what a sidecar says.
  private func describe(
    _ format: SidecarFormat,
    _ source: ByteSource,
    _ file: borrowing SourceBytes,
    _ job: UInt64,
    answer: ([UInt8]) -> Void
  ) throws(Failure) {
    let description: MediaDescription
    do throws(MetadataError) {
      description = try SidecarReader.description(of: source, format: format)
    } catch {
      throw Failure(step: .metadata, reason: error.itemReason, detail: error.description)
    }
    let message = WorkerMessage.sidecar(job: job, description, sourceSHA256: Self.digest(of: file))
    answer(message.frame)
    answer(WorkerMessage.done(job: job).frame)
  }

  private static func digest(of file: borrowing SourceBytes) -> [UInt8] {
    var hash = SHA256()
    file.forEachPiece { hash.update($0) }
    return hash.finalize()
  }

  /// Returns what the container promises and the file lacks. For a preview that is published instead
  /// of a camera raw file, the whole raw file counts.
  private static func missingPart(
    of source: ByteSource,
    _ format: MediaFormat,
    _ preview: RawPreview?
  ) -> String? {
    let own = preview == nil ? format : RawFormat.format(of: source) ?? format
    return Completeness.missingPart(of: source, format: own)
  }

  /// The failure of a file that lacks a part which its container promises; the offset is that of its end.
  static func cut(_ source: ByteSource, _ part: String, at step: ItemStep) -> Failure {
    let detail = "it ends early; missing: \(part) at byte \(source.length)"
    return Failure(step: step, reason: .damaged, detail: detail)
  }

  /// Returns what is plain to see of a file without a format: that there is nothing in it, or a text.
  private static func content(of source: ByteSource) -> String {
    if source.length == 0 { return "it is empty" }
    let start = 0..<min(source.length, 4096)
    if source.isZero(start) { return "it begins with zeros" }
    let bytes = source.bytes(in: start, limit: start.count) ?? [0]
    // Tabulators and ends of lines and pages are the only control characters of texts.
    let isText = bytes.allSatisfy { $0 >= 0x20 || [9, 10, 12, 13].contains($0) }
    return isText ? MediaName.textDetail : ""
  }

  /// Returns the preview that is stripped instead of a camera raw file; nil for every other file,
  /// and for a DNG that is stripped itself or has no preview.
  private func rawPreview(
    of source: ByteSource,
    _ job: Job
  ) throws(Failure) -> RawPreview? {
    guard let format = RawFormat.format(of: source) else { return nil }
    if format == .dng, !job.publishesRawPreview || Stripper.strips(dng: source, job.strip) {
      return nil
    }
    do {
      if job.publishesRawPreview, let preview = try RawPreview(of: source, format: format) {
        return preview
      }
    } catch {
      throw Failure(step: .metadata, reason: error.itemReason, detail: error.description)
    }
    // What is wrong with the file itself says more than that it has no preview.
    if format == .dng { return nil }
    // The file would be recognized as the container that it is based on.
    let kind = RawFormat.name(format) + " camera raw"
    let detail = kind + (job.publishesRawPreview ? " without a JPEG preview" : "")
    throw Failure(step: .strip, reason: .stripUnsupported, detail: detail)
  }

  private func makeEditList(
    _ job: Job,
    _ source: ByteSource,
    _ bytes: UnsafeRawBufferPointer,
    _ format: MediaFormat,
    _ preview: RawPreview?,
    _ missing: String?,
    _ cache: PictureDataCache,
    answer: ([UInt8]) -> Void
  ) throws(Failure) {
    var list: EditList
    do {
      if let preview {
        list = try Stripper.previewList(of: source, preview, options: job.strip)
      } else {
        list =
          job.wantsEditList
          ? try Stripper.editList(of: source, format: format, options: job.strip, cache: cache)
          : try Stripper.muteList(of: source, format: format)
      }
    } catch {
      // The audio of a container without a parser must not pass.
      if !job.wantsEditList, error.code == .stripUnsupported {
        throw Failure(step: .strip, reason: .microphoneRefused, detail: error.description)
      }
      throw Failure(step: .strip, reason: error.itemReason, detail: error.description)
    }
    // An output whose lengths fit what is left would be taken for whole.
    if let missing, preview == nil,
      let output = try? ByteSource(applying: list, to: source),
      Completeness.missingPart(of: output, format: format) == nil
    {
      throw Self.cut(source, missing, at: .strip)
    }
    if !job.wantsEditList {
      // Data that is copied unchanged may contain another movie: every audio track must be removed.
      let removed = list.removed.first { $0.name == RemovedMetadata.audioTrack }?.count ?? 0
      guard EmbeddedAudio.trackCount(in: bytes) <= removed else {
        let detail = "it has sound outside of the movie's tracks"
        throw Failure(step: .strip, reason: .microphoneRefused, detail: detail)
      }
    }
    if job.wantsEditList, !job.allowsAudio, format.mediaType == .image {
      // The movie is removed anyway; a caller that keeps the file itself has to know that it has sound.
      let count = EmbeddedAudio.trackCount(in: bytes)
      if count > 0, !list.removedTags.contains(where: { $0.tag == .soundTrack }) {
        list.removedTags.append(RemovedTag(.soundTrack, count: count))
      }
    }
    for frame in WorkerMessage.frames(ofEditList: list, job: job.identifier) { answer(frame) }
  }

  private func makeThumbnails(
    _ job: Job,
    _ bytes: UnsafeRawBufferPointer,
    _ facts: Facts,
    _ cache: PictureDataCache,
    answer: ([UInt8]) -> Void
  ) throws(Failure) {
    let thumbnails: [Thumbnail]
    do {
      thumbnails = try thumbnailer(job.limits).thumbnails(
        of: bytes,
        format: facts.format,
        orientation: facts.orientation,
        rotation: job.rotation,
        specifications: job.thumbnails,
        acceptDamaged: job.acceptsDamaged,
        allowsAudio: job.allowsAudio,
        isStripped: job.isStripped,
        cache: cache
      )
    } catch {
      if error.code == .audioRefused {
        throw Failure(step: .decode, reason: .microphoneRefused, detail: error.description)
      }
      throw Failure(step: .decode, reason: error.itemReason, detail: error.description)
    }
    for thumbnail in thumbnails {
      let frames = WorkerMessage.frames(
        ofThumbnail: thumbnail.bytes,
        name: thumbnail.name,
        size: thumbnail.pixelSize,
        hashes: thumbnail.hashes,
        job: job.identifier
      )
      for frame in frames { answer(frame) }
    }
  }

  private func thumbnailer(_ limits: ItemLimits) -> ImageThumbnailer {
    if let thumbnailer, thumbnailer.limits == limits { return thumbnailer.maker }
    let maker = ImageThumbnailer(limits: ImagingLimits(limits), cleanedProfile: ICCProfile.cleaned)
    thumbnailer = (limits, maker)
    return maker
  }
}

extension JobRunner.Failure {
  /// The failure to read what a file says, or to write into it.
  init(_ error: MetadataError, at step: ItemStep = .metadata) {
    self.init(step: step, reason: error.itemReason, detail: error.detail)
  }
}
