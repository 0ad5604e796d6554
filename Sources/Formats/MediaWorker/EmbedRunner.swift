internal import MediaContainers
internal import MediaMetadata
internal import MediaModel
internal import MediaStripping
internal import MediaWorkerProtocol

/// Finds the changes by which facts get into a copy of a file.
enum EmbedRunner {
  /// Sends the answers in the order of ``EmbedJob``.
  ///
  /// - Throws: `JobRunner.Failure`, after which no other message of the job follows.
  static func run(
    _ job: EmbedJob,
    _ bytes: UnsafeRawBufferPointer,
    answer: ([UInt8]) -> Void
  ) throws(JobRunner.Failure) {
    let source = ByteSource(bytes)
    let list: EditList
    do throws(MetadataError) {
      if let format = FormatSniffer.format(of: source) {
        list = try FactEmbedder.editList(of: source, format: format, facts: job.facts)
      } else {
        list = try FactEmbedder.editList(ofSidecar: source, facts: job.facts)
      }
    } catch {
      throw JobRunner.Failure(error)
    }
    for frame in WorkerMessage.frames(ofEditList: list, job: job.identifier) { answer(frame) }
    answer(WorkerMessage.done(job: job.identifier).frame)
  }

  /// Writes facts into a JPEG that was just made of a file, whose pixels are turned already.
  ///
  /// - Throws: As ``run(_:_:answer:)``.
  static func jpeg(
    _ bytes: [UInt8],
    of file: ByteSource,
    _ format: MediaFormat,
    with facts: EmbeddedFacts
  ) throws(JobRunner.Failure) -> [UInt8] {
    var facts = facts
    facts.rotation = 0
    if facts.keepsCopyright {
      let kept = MetadataReader.values(of: file, format: format)
        .limited(to: StripOptions(except: [.copyright]))
      if let packet = XMPWriter.packet(kept: kept) {
        facts.packet = XMPMerge.merged(packet, into: facts.packet) ?? packet
      }
    }
    if facts.packet.isEmpty { return bytes }
    let source = ByteSource(bytes)
    do throws(MetadataError) {
      let list = try FactEmbedder.editList(of: source, format: .jpeg, facts: facts)
      let output = try ByteSource(applying: list, to: source)
      return output.bytes(in: 0..<output.length, limit: output.length) ?? bytes
    } catch {
      throw JobRunner.Failure(error)
    }
  }
}
