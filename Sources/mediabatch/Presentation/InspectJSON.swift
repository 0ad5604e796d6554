internal import MediaModel
internal import MediaPipeline
internal import MediaSyntax

/// The output of `inspect --format json`: one object, `mediabatch.inspect/1`.
///
/// ```json
/// {"counts":{"entries":1,"files":1,"inspected":1,"kept":0,"removed":1},"except":[],"exitCode":0,
///  "files":[{"byteCount":640,"complete":true,"entries":[{"byteCount":6,
///  "class":"device","offset":62,"path":"APP1 Exif/IFD0/Make","removed":true}],"duration":null,"durationMilliseconds":null,
///  "format":"jpeg","frameCount":null,"path":"a.jpg","pixelSize":[8,8],"problem":null,
///  "stripProblem":null,"tracks":[]}],"location":null,
///  "schema":"mediabatch.inspect/1"}
/// ```
///
/// An entry has the member `value` only when values were requested.
enum InspectJSON {
  /// The whole answer.
  static func object(
    _ files: [JSONValue],
    _ totals: InspectTotals,
    options: StripOptions
  ) -> JSONValue {
    [
      "schema": "mediabatch.inspect/1",
      "exitCode": totals.exitCode.json,
      "except": .array(options.except.map(\.rawValue).sorted().map { .string($0) }),
      "location": options.isLocationCoarse ? "coarse" : .null,
      "files": .array(files),
      "counts": [
        "files": JSONValue(totals.files), "inspected": JSONValue(totals.inspected),
        "entries": JSONValue(totals.entries), "removed": JSONValue(totals.removed),
        "kept": JSONValue(totals.entries - totals.removed),
      ],
    ]
  }

  /// Returns the object of one file.
  static func object(_ file: InspectedFile) -> JSONValue {
    [
      "path": .string(EscapedText.percentEscaped(file.path)),
      "format": JSONValue(file.facts?.format.rawValue),
      "byteCount": file.byteCount.map { .integer(Int64(clamping: $0)) } ?? .null,
      "pixelSize": object(file.facts?.pixelSize),
      "duration": JSONValue(file.facts?.durationMilliseconds.map(InspectText.badge)),
      "durationMilliseconds": JSONValue(file.facts?.durationMilliseconds),
      "frameCount": JSONValue(file.facts?.frameCount),
      "tracks": .array((file.facts?.tracks ?? []).map(object)),
      "entries": .array(file.entries.map(object)),
      "complete": .bool(file.isComplete),
      "stripProblem": object(file.stripProblem),
      "problem": object(file.problem),
    ]
  }

  private static func object(_ size: PixelSize?) -> JSONValue {
    size.map { [JSONValue($0.width), JSONValue($0.height)] } ?? .null
  }

  private static func object(_ track: TrackFacts) -> JSONValue {
    [
      "kind": .string(track.kind.rawValue), "codec": .string(EscapedText.printable(track.codec)),
      "durationMilliseconds": JSONValue(track.durationMilliseconds),
      "pixelSize": object(track.pixelSize), "frameRateMilli": JSONValue(track.frameRateMilli),
      "channelCount": JSONValue(track.channelCount), "sampleRate": JSONValue(track.sampleRate),
    ]
  }

  private static func object(_ entry: InspectedEntry) -> JSONValue {
    var members: [String: JSONValue] = [
      "class": .string(entry.metadataClass.rawValue),
      "path": .string(InspectText.path(entry)),
      "offset": .integer(Int64(clamping: entry.offset)),
      "byteCount": .integer(Int64(clamping: entry.byteCount)),
      "removed": .bool(entry.isRemoved),
    ]
    if let value = InspectText.value(entry) { members["value"] = .string(value) }
    return .object(members)
  }

  private static func object(_ problem: InspectedFile.Problem?) -> JSONValue {
    guard let problem else { return .null }
    return [
      "reason": problem.isMissing ? "missing" : .string(problem.reason.rawValue),
      "message": .string(InspectText.sentence(problem)),
    ]
  }
}
