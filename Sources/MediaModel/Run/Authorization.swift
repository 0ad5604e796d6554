/// What a person, or an organization, has said about one source.
///
/// Source: PHAuthorizationStatus (PhotoKit), whose raw values these are.
package enum AuthorizationStatus: Int, CaseIterable, Sendable, Hashable, Codable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorized = 3
  case limited = 4

  /// The word in a manifest, a log and a message.
  package var name: String {
    switch self {
    case .notDetermined: "notDetermined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .authorized: "authorized"
    case .limited: "limited"
    }
  }

  /// The status of that name, or nil when no status is called so.
  package init?(name: String) {
    guard let status = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = status
  }
}

/// What is asked of the photo library; camera and microphone have one level, written `readWrite`.
///
/// Source: PHAccessLevel (PhotoKit), whose raw values these are.
package enum AccessLevel: Int, CaseIterable, Sendable, Hashable, Codable {
  case addOnly = 1
  case readWrite = 2

  /// The word in a manifest, a log and a message.
  package var name: String { self == .addOnly ? "addOnly" : "readWrite" }
}

/// Whether something stands where a source should be: a second fact, never mixed with authorization.
package enum Availability: String, Sendable, Hashable, Codable {
  case available
  case unavailable
  /// A refused source is never looked at.
  case unknown
}

/// The Info.plist key under which an app says why it wants a source.
package enum UsageDescriptionKey: String, CaseIterable, Sendable, Hashable, Codable {
  case camera = "NSCameraUsageDescription"
  case photoLibrary = "NSPhotoLibraryUsageDescription"
  case photoLibraryAdd = "NSPhotoLibraryAddUsageDescription"
  case microphone = "NSMicrophoneUsageDescription"

  /// The key that a need for `source` at `level` rests on.
  package init(source: SourceKind, level: AccessLevel) {
    switch (source, level) {
    case (.camera, _): self = .camera
    case (.library, .addOnly): self = .photoLibraryAdd
    case (.library, .readWrite): self = .photoLibrary
    case (.microphone, _): self = .microphone
    }
  }
}

/// The result of deciding, for one source or one item.
package enum Verdict: String, Sendable, Hashable, Codable {
  case allow
  case refuse
}

/// Why a source was allowed or refused: one row of the decision table.
package enum DecisionReason: String, CaseIterable, Sendable, Hashable, Codable {
  case usageDescriptionMissing
  case limitedNotApplicable
  case manifestMistake
  case restricted
  case picked
  case denied
  case expired
  case levelInsufficient
  case notDetermined
  case unavailable
  case limitedAlbums
  case limited
  case authorized
  case microphoneRefused

  /// The reason that a status alone gives.
  package init(_ status: AuthorizationStatus) {
    self =
      switch status {
      case .notDetermined: .notDetermined
      case .restricted: .restricted
      case .denied: .denied
      case .authorized: .authorized
      case .limited: .limited
      }
  }

  /// The number PhotoKit gives the same refusal, where it has one.
  ///
  /// Source: PHPhotosError.
  package var photosErrorCode: Int? {
    switch self {
    case .restricted: 3310
    case .denied: 3311
    case .unavailable: 3114
    default: nil
    }
  }
}
