/// What a person, or another program, has made of a picture in its source besides keeping it there.
package enum Standing: Sendable, Hashable, CaseIterable {
  /// A person keeps it out of view: archived, hidden, locked.
  case putAway
  /// It is in a trash.
  case thrownAway
  /// Another program is still writing it.
  case unfinished
  /// Others took it, and share it with the person.
  case others
  /// Another program made it of a picture: a thumbnail, a cache, an earlier version.
  case derived

  /// The reason for which a run leaves out what a sign of its source gives this standing.
  ///
  /// - Parameters:
  ///   - includesHidden: Whether hidden assets are fetched.
  ///   - includesOthers: Whether those of others are fetched.
  /// - Returns: Nil for what is imported; of names, all is left out, see ``StandingTable/row(of:isFolder:isThere:)``.
  package func reason(includesHidden: Bool, includesOthers: Bool) -> ItemReason? {
    switch self {
    case .putAway: includesHidden ? nil : .notFetched
    case .others: includesOthers ? nil : .notFetched
    case .thrownAway: .trashed
    case .unfinished: .stillChanging
    case .derived: .unlisted
    }
  }
}

extension MediaDescription {
  /// Makes the description of a file of which nothing but its standing is known.
  package init(of standing: Standing) {
    self.init()
    note(standing)
  }

  /// Notes what a source says of the standing of a file.
  package mutating func note(_ standing: Standing) {
    switch standing {
    case .putAway: isHidden = true
    case .thrownAway: isTrashed = true
    case .others: isOfOthers = true
    case .unfinished, .derived: break
    }
  }

  /// The standings that a source states of a file, the one that keeps it out of a library first.
  package var standings: [Standing] {
    [(isTrashed, Standing.thrownAway), (isOfOthers, .others), (isHidden, .putAway)]
      .compactMap { $0.0 == true ? $0.1 : nil }
  }
}
