internal import MediaModel
internal import MediaWorkerProtocol

extension Liar {
  /// Frames that are false in their order, their number or their bytes.
  func rawFrames(_ lie: Lie, _ answer: Answer) -> [[UInt8]] {
    let job = answer.identifier
    let upToThumbnails = [answer.factsFrame] + answer.editFrames
    func failed(_ detail: String, reason: ItemReason = .damaged) -> [UInt8] {
      WorkerMessage.failed(job: job, step: .metadata, reason: reason, detail: detail).frame
    }
    /// A `failed` whose detail is longer than an honest one.
    func failed(raw detail: [UInt8], reason: String = "damaged") -> [UInt8] {
      func put(_ bytes: [UInt8]) -> [UInt8] { bytes.framed }
      let head = [7] + (0..<8).map { UInt8(truncatingIfNeeded: job >> ($0 * 8)) }
      return (head + put(Array("metadata".utf8)) + put(Array(reason.utf8)) + put(detail)).framed
    }
    switch lie {
    case .unknownOperation:
      // One operation of an unknown kind.
      let content = [3] + Array(answer.editFrame[5..<13]) + [1, 0, 0, 0] + [2]
      return [answer.factsFrame, content.framed]
    case .noEditList: return [answer.factsFrame] + answer.thumbnailFrames + [answer.doneFrame]
    case .editBeforeFacts:
      return [answer.editFrame, answer.editEndFrame, answer.factsFrame, answer.doneFrame]
    case .editAfterEnd: return upToThumbnails + [answer.editFrame, answer.doneFrame]
    case .twoEditEnds: return upToThumbnails + [answer.editEndFrame, answer.doneFrame]
    case .editListUnasked:
      return [answer.factsFrame, answer.editFrame, answer.editEndFrame, answer.doneFrame]
    case .factsTwice: return [answer.factsFrame] + answer.frames
    case .cameraNotUTF8:
      var marked = answer
      marked.facts.camera = "CAMERA!!"
      return [
        marked.factsFrame.replacing("CAMERA!!", with: [0xC3, 0x28, 0xFF] + Array("12345".utf8))
      ]
    case .sizeTooLarge:
      var marked = answer
      // An honest writer keeps to the limit: "WXYZ" becomes what is beyond it.
      marked.facts.pixelSize = PixelSize(width: 0x5A59_5857, height: 1)
      return [marked.factsFrame.replacing("WXYZ", with: [0, 0, 0, 0x80])]
    case .detailHostile: return [failed(Hostile.text)]
    case .detailTooLong: return [failed(raw: Array(Hostile.long.utf8))]
    case .detailNotUTF8: return [failed(raw: [0xFF, 0xFE, 0x1B])]
    case .reasonNotItsOwn: return [failed("", reason: .hardLinked)]
    case .unknownReason: return [failed(raw: [], reason: "imported")]
    case .doneAtOnce: return [answer.doneFrame]
    case .otherJob: return relabelled(answer, job: job + 1000)
    case .nextJob: return relabelled(answer, job: job + 1)
    case .noJob: return relabelled(answer, job: 0)
    case .answersTwice: return answer.frames + answer.frames
    case .otherRequest: return [WorkerMessage.content(job: job, [1]).frame] + answer.frames
    case .sidecarOfPhoto:
      let sidecar = WorkerMessage.sidecar(job: job, MediaDescription(), sourceSHA256: answer.digest)
      return [sidecar.frame] + answer.frames
    case .frameEmpty: return [[0, 0, 0, 0]] + answer.frames
    case .frameOf4GiB: return [[0xFF, 0xFF, 0xFF, 0xFF]] + answer.frames
    case .unknownKind: return [([99] + [UInt8](repeating: 0, count: 8)).framed] + answer.frames
    case .messageGoesOn: return [(Array(answer.factsFrame[4...]) + [0]).framed]
    case .messageEndsEarly: return [Array(answer.factsFrame[4...].dropLast()).framed]
    case .helloTwice:
      let hello = WorkerMessage.hello(
        protocolVersion: WorkerMessage.protocolVersion,
        build: BuildInfo.version
      )
      return [hello.frame] + answer.frames
    case .noise: return [[UInt8](repeating: 0x5A, count: 1 << 20)]
    default: return thumbnailFrames(lie, answer)
    }
  }

  /// An honest answer about another job.
  private func relabelled(_ answer: Answer, job: UInt64) -> [[UInt8]] {
    var other = answer.job
    other.identifier = job
    var relabelled = Answer(other, bytes: answer.bytes)
    relabelled.operations = answer.operations
    return relabelled.frames
  }

  private func thumbnailFrames(_ lie: Lie, _ answer: Answer) -> [[UInt8]] {
    let before = [answer.factsFrame] + answer.editFrames
    guard let first = answer.job.thumbnails.first, let second = answer.job.thumbnails.last else {
      return answer.frames
    }
    var thumbnails = answer.thumbnailFrames
    switch lie {
    case .thumbnailOtherName: thumbnails[0] = answer.thumbnail(of: first, name: "other")
    case .thumbnailNameHostile:
      thumbnails[0] = answer.thumbnail(of: first, name: "../../../tmp/\u{1B}x")
    case .thumbnailTwice: thumbnails.append(thumbnails[0])
    case .thumbnailTooWide:
      let size = PixelSize(width: first.size.width + 1, height: first.size.height)
      thumbnails[0] = answer.thumbnail(of: first, size: size)
    case .thumbnailWithoutSize:
      thumbnails[0] = answer.thumbnail(of: first, size: PixelSize(width: 0, height: 0))
    case .thumbnailNotJPEG:
      thumbnails[0] = answer.thumbnail(of: first, bytes: Array("GIF89a".utf8))
    case .thumbnailTooLong:
      let part = answer.bytes + [UInt8](repeating: 0, count: 1_000_000)
      thumbnails = [
        answer.thumbnail(of: first, bytes: part, isLast: false),
        answer.thumbnail(of: first, bytes: part, isLast: true),
      ]
    case .thumbnailsMixed:
      thumbnails = [
        answer.thumbnail(of: first, isLast: false), answer.thumbnail(of: second, isLast: false),
        answer.thumbnail(of: first), answer.thumbnail(of: second),
      ]
    case .thumbnailMissing: thumbnails.removeFirst()
    case .thumbnailUnfinished: thumbnails[0] = answer.thumbnail(of: first, isLast: false)
    default: break
    }
    return before + thumbnails + [answer.doneFrame]
  }
}
