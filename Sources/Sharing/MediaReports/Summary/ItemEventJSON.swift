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
  /// resolved; what an item does not have is null. No advice names what the settings have already.
  ///
  /// Paths below the library are as they are, so that they can be opened; the path in the source is
  /// percent-escaped where a byte is not printable.
  package static func object(
    _ event: ItemEvent,
    of settings: AdvisedSettings = AdvisedSettings(),
    run: String,
    library: String
  ) -> JSONValue {
    let message = event.reason.map { _ in FailureAdvice.message(of: .init(event.details), settings) }
    var members: [String: JSONValue] = [
      "schema": .string(schema), "run": .string(run), "library": .string(library),
      "message": JSONValue(message), "label": JSONValue(event.label),
    ]
    for field in Outcome.fields(in: .event) {
      members[field.name] = field.form.value(
        in: event.details,
        path: { .string($0.text) },
        file: { .string($0.published) },
        thumbnail: thumbnail
      )
    }
    // The published file is three members; the list of fields has its path.
    members["bytes"] = event.details.output.map { JSONValue($0.bytes) } ?? .null
    members["sha256"] = JSONValue(event.details.output?.sha256)
    return .object(members)
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
