/// The display name of a camera.
enum CameraName {
  private static let maximumLength = 200

  /// Returns make and model as one text of at most 200 bytes without control characters. The make
  /// appears only once when the model starts with it. The result is nil when there is neither.
  static func camera(make: String?, model: String?) -> String? {
    let make = clean(make ?? "")
    let model = clean(model ?? "")
    if make.isEmpty { return model.isEmpty ? nil : cut(model) }
    if model.isEmpty { return cut(make) }
    let startsWithMake = model.lowercased().hasPrefix(make.lowercased())
    return cut(startsWithMake ? model : make + " " + model)
  }

  private static func clean(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
        .unassigned:
        continue
      case .spaceSeparator where result.isEmpty || result.last == " ": continue
      case .spaceSeparator: result.append(" ")
      default: result.append(scalar)
      }
    }
    if result.last == " " { result.removeLast() }
    return String(result)
  }

  private static func cut(_ text: String) -> String {
    var result = ""
    var length = 0
    for character in text {
      length += character.utf8.count
      if length > maximumLength { break }
      result.append(character)
    }
    return result
  }
}
