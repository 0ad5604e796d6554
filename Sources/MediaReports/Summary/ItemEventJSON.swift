package import MediaModel
package import MediaSyntax

/// An item of a run for a program, as `mediabatch run --events` prints it: one JSON object a line.
///
///     {"bytes":4100,"label":"Harbour","library":"/srv/Library","localIdentifier":"0b7e…","outcome":"imported",
///      "path":"Originals/2026-11-21/014439.301225/Harbour.jpg","source":"camera","sourcePath":"100/IMG_0001.JPG",…}
///
/// (A real line has no breaks.) Described by `Manifests/events.schema.json`.
package enum ItemEventJSON {
  /// The name and version of the shape.
  package static let schema = "mediabatch.item/1"

  /// The event in the shape of `mediabatch.item/1`, with the run that tells it and the library's folder,
  /// resolved; what an item does not have is null.
  ///
  /// Paths below the library are as they are, so that they can be opened; the path in the source is
  /// percent-escaped where a byte is not printable.
  package static func object(_ event: ItemEvent, run: String, library: String) -> JSONValue {
    var members: [String: JSONValue] = [
      "schema": .string(schema), "run": .string(run), "library": .string(library),
      "message": JSONValue(message(event)), "label": JSONValue(event.label),
    ]
    for field in Outcome.fields(in: .event) { add(field, of: event.details, to: &members) }
    return .object(members)
  }

  private static func add(
    _ field: Outcome.NamedField,
    of item: Outcome,
    to members: inout [String: JSONValue]
  ) {
    members[field.name] =
      switch field.form {
      case .word(let word): JSONValue(word.text(item))
      case .text(let text): JSONValue(item[keyPath: text])
      case .flag(let flag): .bool(item[keyPath: flag])
      case .digest(let digest): JSONValue(item[keyPath: digest].map { Hexadecimal.text($0) })
      case .file(let file): JSONValue(item[keyPath: file]?.published)
      case .path: .string(item.path.text)
      case .sourceDigest(let isKeyed):
        JSONValue(ReportWording.sourceDigest(of: item, isKeyed: isKeyed))
      case .removed:
        .array(item.removed.map { ["name": .string($0.name), "count": JSONValue($0.count)] })
      case .mutedTracks: item.mutedTrackCount.map { JSONValue($0) } ?? .null
      case .thumbnails: .array(item.thumbnails.map(thumbnail))
      }
    guard case .file(\.output) = field.form else { return }
    members["bytes"] = item.output.map { JSONValue($0.bytes) } ?? .null
    members["sha256"] = JSONValue(item.output?.sha256)
  }

  private static func message(_ event: ItemEvent) -> String? {
    guard let reason = event.reason else { return nil }
    return FailureAdvice.message(
      reason: reason,
      path: event.path,
      source: event.source,
      format: event.failedFormat,
      detail: event.details.message ?? ""
    )
  }

  private static func thumbnail(_ thumbnail: Outcome.Thumbnail) -> JSONValue {
    let (file, size) = (thumbnail.file, thumbnail.file.pixelSize)
    return [
      "name": .string(thumbnail.name), "path": .string(file.published),
      "width": JSONValue(size?.width ?? 0), "height": JSONValue(size?.height ?? 0),
      "bytes": JSONValue(file.bytes), "sha256": .string(file.sha256),
    ]
  }
}
