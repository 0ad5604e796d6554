/// The access that a person or an organization has granted to one source.
///
/// Source: PHAuthorizationStatus (PhotoKit), whose raw values these are.
package enum AuthorizationStatus: Int, CaseIterable, Sendable, Hashable, Codable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorized = 3
  case limited = 4

  /// The name in manifests, logs and messages.
  package var name: String {
    switch self {
    case .notDetermined: "notDetermined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .authorized: "authorized"
    case .limited: "limited"
    }
  }

  /// Creates the status of that name; nil if no status has it.
  package init?(name: String) {
    guard let status = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = status
  }
}

/// The access level that is requested for the photo library; camera and microphone have only one,
/// written `readWrite`.
///
/// Source: PHAccessLevel (PhotoKit), whose raw values these are.
package enum AccessLevel: Int, CaseIterable, Sendable, Hashable, Codable {
  case addOnly = 1
  case readWrite = 2

  /// The name in manifests, logs and messages.
  package var name: String { self == .addOnly ? "addOnly" : "readWrite" }
}

/// Whether the source exists; independent of authorization.
package enum Availability: String, Sendable, Hashable, Codable {
  case available
  case unavailable
  /// The source was refused and therefore not opened.
  case unknown
}

/// The Info.plist key under which an app states why it needs a source.
package enum UsageDescriptionKey: String, CaseIterable, Sendable, Hashable, Codable {
  case camera = "NSCameraUsageDescription"
  case photoLibrary = "NSPhotoLibraryUsageDescription"
  case photoLibraryAdd = "NSPhotoLibraryAddUsageDescription"
  case microphone = "NSMicrophoneUsageDescription"
  /// Tracks and names of places are location data.
  case location = "NSLocationWhenInUseUsageDescription"

  /// Returns the key that access to `source` at `level` requires.
  package init(source: SourceKind, level: AccessLevel) {
    switch (source, level) {
    case (.camera, _): self = .camera
    case (.library, .addOnly): self = .photoLibraryAdd
    case (.library, .readWrite): self = .photoLibrary
    case (.microphone, _): self = .microphone
    }
  }
}

/// The result of an access decision for one source or one item.
package enum Verdict: String, Sendable, Hashable, Codable {
  case allow
  case refuse
}

/// The reason why a source was allowed or refused: one row of the decision table.
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
  case limited
  case authorized
  case microphoneRefused

  /// Returns the reason that follows from a status alone.
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

  /// The error number with which PhotoKit reports the same refusal; nil if it has none.
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
