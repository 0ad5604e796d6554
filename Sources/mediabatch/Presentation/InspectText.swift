internal import MediaModel
internal import MediaPipeline
internal import MediaReports

/// The text output of `inspect`; everything that comes from a file or a worker is escaped.
enum InspectText {
  private static let maximumPathCharacters = 1000
  private static let maximumValueCharacters = 4000

  /// Returns the table of one inspected file: its facts, a line per entry, the counts.
  static func table(_ file: InspectedFile) -> String {
    var text = EscapedText.percentEscaped(file.path) + "\n"
    var facts: [String] = []
    if let format = file.facts?.format { facts.append(format.rawValue) }
    if let byteCount = file.byteCount { facts.append(count(byteCount, "byte")) }
    if let size = file.facts?.pixelSize { facts.append("\(size.width) x \(size.height) pixels") }
    if let duration = file.facts?.durationMilliseconds { facts.append(badge(duration)) }
    text += "  " + facts.joined(separator: ", ") + "\n"
    for track in file.facts?.tracks ?? [] { text += "  \(line(track))\n" }
    if !file.entries.isEmpty {
      text += "  " + padded("offset", 12) + padded("bytes", 12) + "  strip    class     what\n"
    }
    for entry in file.entries {
      text += "  " + padded("\(entry.offset)", 12) + padded("\(entry.byteCount)", 12)
      text += entry.isRemoved ? "  removes  " : "  keeps    "
      let name = entry.metadataClass.rawValue
      text += name + String(repeating: " ", count: max(1, 10 - name.count)) + line(entry) + "\n"
    }
    text += "  " + counts(entries: file.entries.count, removed: file.removedCount) + "\n"
    if !file.isComplete { text += "  There are more; only the first are listed.\n" }
    if let problem = file.stripProblem {
      let detail = EscapedText.printable(problem.detail, limit: maximumPathCharacters)
      text += "  strip does not publish this file: "
      text += FailureAdvice.explained("\(problem.reason.rawValue): \(detail)") + "\n"
    }
    return text
  }

  /// A duration as a badge on a thumbnail says it, such as `0:05` or `1:02:03`.
  static func badge(_ milliseconds: Int) -> String {
    let seconds = (milliseconds + 500) / 1000
    func pad(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0
      ? "\(hours):\(pad(minutes)):\(pad(seconds % 60))" : "\(minutes):\(pad(seconds % 60))"
  }

  private static func line(_ track: TrackFacts) -> String {
    var words = ["\(track.kind.rawValue) \(EscapedText.printable(track.codec))"]
    if let size = track.pixelSize { words.append("\(size.width) x \(size.height) pixels") }
    if let rate = track.frameRateMilli {
      words.append("\(rate / 1000).\(rate % 1000 / 100) frames/s")
    }
    if let channels = track.channelCount { words.append(count(UInt64(channels), "channel")) }
    if let rate = track.sampleRate { words.append("\(rate) Hz") }
    return words.joined(separator: ", ")
  }

  /// Returns the last line.
  static func totals(_ totals: InspectTotals) -> String {
    "\(totals.inspected) of \(count(UInt64(totals.files), "file")) inspected; "
      + counts(entries: totals.entries, removed: totals.removed)
  }

  /// Returns why a file was not inspected, and what to do; nil when it was.
  static func problem(_ file: InspectedFile) -> String? {
    file.problem.map { problem in
      "\"\(EscapedText.percentEscaped(file.path))\" was not inspected: " + sentence(problem)
    }
  }

  /// Describes a problem, also for JSON.
  static func sentence(_ problem: InspectedFile.Problem) -> String {
    let detail = EscapedText.printable(problem.detail, limit: maximumPathCharacters)
    if problem.isMissing { return "there is no such file. Check its name." }
    return switch problem.reason {
    case .cannotOpen: "it cannot be opened: \(detail)."
    case .notRegularFile: "it is no regular file. Name files or folders."
    case .unknownFormat: "its format is not known."
    case .stripUnsupported: "\(detail)."
    case .damaged: FailureAdvice.explained("damaged: \(detail)") + ". Get an intact copy."
    case .overLimit: "it needs more time or memory than a file of its size may (\(detail))."
    case .changedDuringRun: "it changed while it was read. Inspect it when nobody writes to it."
    case .deadline: "it took too long, twice; take care with this file."
    case .workerCrashed: "two workers crashed when they read it; take care with this file."
    case .workerProtocol: "the worker that read it gave a wrong answer (\(detail))."
    default: "\(problem.reason.rawValue) (\(detail))."
    }
  }

  /// Returns the path of an entry in the container, safe to show.
  static func path(_ entry: InspectedEntry) -> String {
    EscapedText.printable(entry.path, limit: maximumPathCharacters)
  }

  /// Returns the value of an entry, safe to show.
  static func value(_ entry: InspectedEntry) -> String? {
    entry.value.map { EscapedText.printable($0, limit: maximumValueCharacters) }
  }

  private static func line(_ entry: InspectedEntry) -> String {
    path(entry) + (value(entry).map { " = \($0)" } ?? "")
  }

  private static func counts(entries: Int, removed: Int) -> String {
    guard entries > 0 else { return "no metadata." }
    return (entries == 1 ? "1 entry" : "\(entries) entries")
      + ": strip removes \(removed) and keeps \(entries - removed)."
  }

  private static func count(_ number: UInt64, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.utf8.count)) + text
  }
}
