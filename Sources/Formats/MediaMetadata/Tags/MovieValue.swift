package import MediaContainers
package import MediaModel

/// A value of a movie that may be kept, and the names that programs give it.
package enum MovieValue: Equatable, Sendable {
  case date, title, caption, copyright, creator, rating, location, identifier
  case device(DeviceText)

  /// The exception that keeps the value; nil for the identifier of a live photo.
  package var exception: MetadataException? {
    switch self {
    case .date: .creationDate
    case .device(let name): name.exception
    case .title, .caption: .caption
    case .copyright, .creator: .copyright
    case .rating: .rating
    case .location: .location
    case .identifier: nil
    }
  }

  /// The values by the type of user data of QuickTime and 3GPP, and of tags of iTunes.
  package static let types: [FourCharacterCode: MovieValue] = {
    var types: [FourCharacterCode: MovieValue] = [
      "©day": .date, "date": .date, "©nam": .title, "titl": .title,
      "©des": .caption, "desc": .caption, "ldes": .caption, "dscp": .caption, "©cmt": .caption,
      "©inf": .caption, "©cpy": .copyright, "cprt": .copyright, "©aut": .creator, "auth": .creator,
      "©ART": .creator, "perf": .creator, "©prd": .creator, "©xyz": .location, "loci": .location,
    ]
    for name in DeviceText.all {
      if let type = name.type { types[type] = .device(name) }
    }
    return types
  }()

  /// The values by the key of QuickTime's named metadata.
  package static let keys: [String: MovieValue] = {
    var names: [String: MovieValue] = [
      "creationdate": .date, "title": .title,
      "displayname": .title, "description": .caption, "comment": .caption,
      "copyright": .copyright, "author": .creator, "artist": .creator, "rating.user": .rating,
      "location.ISO6709": .location, "content.identifier": .identifier,
    ]
    for name in DeviceText.all { names[name.key] = .device(name) }
    return Dictionary(uniqueKeysWithValues: names.map { ("com.apple.quicktime." + $0.key, $0.value) })
  }()
}
