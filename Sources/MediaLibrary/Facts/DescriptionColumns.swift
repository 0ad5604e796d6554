internal import Foundation
internal import GRDB
internal import MediaModel

/// The columns that say what an asset is of: in `assets` for what its policy lets be told, and in the
/// private facts for what stripping takes.
enum DescriptionColumns {
  /// The names and types. A degree is a REAL, keywords are an array in JSON, and what nothing says is
  /// NULL, also a number of subtypes that would be 0.
  static let columns: [(name: String, type: String)] = [
    ("mediaSubtypes", "INTEGER"), ("rating", "INTEGER"), ("isFavorite", "INTEGER"),
    ("isHidden", "INTEGER"), ("caption", "TEXT"), ("keywords", "TEXT"), ("burst", "TEXT"),
    ("isBurstPick", "INTEGER"), ("latitude", "REAL"), ("longitude", "REAL"),
  ]

  /// The names, separated by commas.
  static let names = columns.map(\.name).joined(separator: ", ")

  /// Returns the values in the order of ``columns``; `isLive` says whether the asset has a movie beside
  /// its still.
  static func values(of facts: Facts, isLive: Bool) -> [(any DatabaseValueConvertible)?] {
    var subtypes = facts.subtypes
    if isLive { subtypes.insert(.photoLive) }
    let description = facts.description
    let keywords = description?.keywords ?? []
    return [
      subtypes.isEmpty ? nil : subtypes.rawValue, description?.rating, description?.isFavorite,
      description?.isHidden, description?.caption, keywords.isEmpty ? nil : json(keywords),
      description?.burst, description?.isBurstPick,
      description?.place.map { degrees($0.latitude) },
      description?.place.map { degrees($0.longitude) },
    ]
  }

  /// Reads the columns of an earlier catalogue, whose row may not have them.
  static func description(of row: Row) -> MediaDescription? {
    guard row.hasColumn("mediaSubtypes") else { return nil }
    var description = MediaDescription()
    description.subtypes = MediaSubtypes(rawValue: row["mediaSubtypes"] ?? 0)
    description.rating = row["rating"]
    description.isFavorite = row["isFavorite"]
    description.isHidden = row["isHidden"]
    description.caption = row["caption"]
    if let text = row["keywords"] as String?,
      let keywords = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
    {
      description.keywords = keywords
    }
    description.burst = row["burst"]
    description.isBurstPick = row["isBurstPick"]
    if let latitude = row["latitude"] as Double?, let longitude = row["longitude"] as Double? {
      description.place = place(latitude: latitude, longitude: longitude)
    }
    return description
  }

  /// The position of two columns in degrees; nil for one that is not on Earth.
  static func place(latitude: Double, longitude: Double) -> MediaDescription.Place? {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    return MediaDescription.Place(
      latitude: Int((latitude * unitsPerDegree).rounded()),
      longitude: Int((longitude * unitsPerDegree).rounded())
    )
  }

  private static let unitsPerDegree = 10_000_000.0

  private static func degrees(_ units: Int) -> Double { Double(units) / unitsPerDegree }

  /// Source: RFC 8259, section 7.
  private static func json(_ texts: [String]) -> String {
    let quoted = texts.map { text in
      var quoted = "\""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": quoted += "\\" + String(scalar)
        case "\n": quoted += "\\n"
        case _ where scalar.value < 0x20:
          let digits = String(scalar.value, radix: 16)
          quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        default: quoted.unicodeScalars.append(scalar)
        }
      }
      return quoted + "\""
    }
    return "[" + quoted.joined(separator: ",") + "]"
  }
}
