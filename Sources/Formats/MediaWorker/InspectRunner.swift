internal import MediaContainers
import MediaMetadata
internal import MediaModel
import MediaStripping
internal import MediaWorkerProtocol

/// Performs one inspection: lists the file's metadata and checks whether `strip` would succeed.
///
/// Nothing is decoded.
struct InspectRunner {
  /// Sends the answers in the order of ``InspectMessage``.
  ///
  /// - Throws: `JobRunner.Failure`, after which no other message of the job follows:
  ///   `unknownFormat`, `stripUnsupported` for a format without a parser, `damaged`, `overLimit`.
  func run(
    _ job: InspectJob,
    _ bytes: UnsafeRawBufferPointer,
    answer: ([UInt8]) -> Void
  ) throws(JobRunner.Failure) {
    let source = ByteSource(bytes)
    guard let format = FormatSniffer.format(of: source) else {
      throw JobRunner.Failure(step: .metadata, reason: .unknownFormat, detail: "")
    }
    let facts: Facts
    do {
      facts = try MetadataReader.facts(of: source, format: format)
    } catch {
      answer(InspectMessage.facts(job: job.identifier, Facts(format: format)).frame)
      throw JobRunner.Failure(error)
    }
    let shown = facts.publishable(under: StripOptions())
    answer(InspectMessage.facts(job: job.identifier, shown).frame)
    guard MetadataInspector.lists(format) else {
      throw JobRunner.Failure(
        step: .metadata,
        reason: .stripUnsupported,
        detail: "what a \(format.rawValue) file says about itself cannot be listed yet"
      )
    }
    let options = StripOptions(except: job.except, isLocationCoarse: job.isLocationCoarse)
    let entries: [InspectedEntry]
    do {
      entries = try MetadataInspector.entries(
        of: source,
        format: format,
        options: options,
        showsValues: job.showsValues
      )
    } catch {
      throw JobRunner.Failure(error)
    }
    for frame in InspectMessage.frames(ofEntries: entries, job: job.identifier) { answer(frame) }
    if let failure = Self.failure(ofStripping: source, format, options) {
      let message = InspectMessage.stripFails(
        job: job.identifier,
        reason: failure.reason,
        detail: failure.detail
      )
      answer(message.frame)
    }
    let isComplete = entries.count < MetadataInspector.maximumEntries
    answer(InspectMessage.done(job: job.identifier, isComplete: isComplete).frame)
  }

  /// Returns why a run under `strip` would not import the file, or nil.
  private static func failure(
    ofStripping source: ByteSource,
    _ format: MediaFormat,
    _ options: StripOptions
  ) -> (reason: ItemReason, detail: String)? {
    if let part = Completeness.missingPart(of: source, format: format) {
      let failure = JobRunner.cut(source, part, at: .metadata)
      return (failure.reason, failure.detail)
    }
    do {
      _ = try Stripper.editList(of: source, format: format, options: options)
      return nil
    } catch {
      return (error.itemReason, error.detail)
    }
  }
}
