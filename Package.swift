// swift-tools-version:6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The two programs have Swift's libraries inside; the tests, which are built from the same objects, cannot, since Swift
/// Testing comes as a shared library. The names are what Foundation needs and those objects do not name.
///
/// Those of "make coverage" are not started, and their objects of a debug build name other parts of Foundation.
let programSettings: [LinkerSetting] =
  Context.environment["MEDIABATCH_BUILD"] == "coverage"
  ? []
  : [
    .unsafeFlags([
      "-static-stdlib", "-l_FoundationICU", "-l_FoundationCollections", "-l_FoundationCShims",
      "-lCoreFoundation", "-lswiftSynchronization",
    ])
  ]

/// "make test" optimizes programs and modules, and not the tests, which would take four times as long to
/// compile. SwiftPM finds what they have in the compiler's index by their paths as they are, so that the mapping of
/// scripts/swift-flags.sh is none for them.
let testSettings =
  strict + [
    .unsafeFlags([
      "-Xfrontend", "-Onone",
      "-file-prefix-map", "\(Context.packageDirectory)=\(Context.packageDirectory)",
    ])
  ]

/// The functions in whose place the linker puts those of CInProcess, in the tests alone. Source: ld(1), --wrap.
let inProcess = [
  "csandbox_bind_to_parent", "csandbox_cpu_nanoseconds", "csandbox_drop_capabilities",
  "csandbox_end_with_parent", "csandbox_is_main_thread", "csandbox_landlock_allow",
  "csandbox_landlock_create", "csandbox_landlock_restrict", "csandbox_raise_cpu_limit",
  "csandbox_reap", "csandbox_seccomp_coordinator", "csandbox_set_limits", "csandbox_spawn",
  "csandbox_thread_count", "posix_spawn", "seccomp_load", "setrlimit",
]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

/// A floor: a folder of modules, which use those of lower floors, and those above them in this list.
enum Floor: String {
  case foundations = "Foundations"
  case formats = "Formats"
  case gate = "Gate"
  case library = "Library"
  case `import` = "Import"
  case sharing = "Sharing"
}

/// One folder, one target, one idea: what a module may use is what it lists here.
func module(_ name: String, in floor: Floor, uses dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: "Sources/\(floor.rawValue)/\(name)",
    swiftSettings: strict
  )
}

/// A module whose folder Web has files for browsers.
///
/// The C module "files" embeds them. A new file is named in its header, in its C file and in Swift.
func pages(_ name: String, in floor: Floor, files: String, uses dependencies: [Target.Dependency])
  -> Target
{
  let target = module(name, in: floor, uses: [.target(name: files)] + dependencies)
  target.exclude = ["Web"]
  return target
}

/// The C module of files for browsers: #embed is of C23.
func files(_ name: String) -> Target {
  .target(name: name, path: "Sources/C/\(name)", cSettings: [.unsafeFlags(["-std=c23"])])
}

func tests(
  of name: String,
  uses dependencies: [Target.Dependency] = [],
  data: [String] = []
) -> Target {
  let modules = Set([name, "MediaModel", "MediaTestSupport"]).sorted()
  return .testTarget(
    name: "\(name)Tests",
    dependencies: modules.map { .target(name: $0) } + dependencies,
    exclude: data,
    swiftSettings: testSettings
  )
}

let package = Package(
  name: "mediabatch",
  products: [
    .executable(name: "mediabatch", targets: ["mediabatch"]),
    .executable(name: "mediabatch-worker", targets: ["mediabatch-worker"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    // No target names these: swift-nio brings them, and they are here for their exact versions.
    .package(url: "https://github.com/apple/swift-atomics.git", exact: "1.3.0"),
    .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-system.git", exact: "1.8.1"),
  ],
  targets: [
    // The two programs. The commands are a module, so that tests can call them in their own process.
    .executableTarget(
      name: "mediabatch",
      dependencies: ["MediaCommands"],
      path: "Sources/mediabatch/Program",
      swiftSettings: strict,
      linkerSettings: programSettings
    ),
    .target(
      name: "MediaCommands",
      dependencies: [
        argumentParser, "MediaAudit", "MediaCameras", "MediaConsent", "MediaExport",
        "MediaFileSystem", "MediaGallery", "MediaLibrary", "MediaListing", "MediaMaintenance",
        "MediaManifest", "MediaModel", "MediaPermissions", "MediaPhotosLibrary", "MediaPicking",
        "MediaPipeline", "MediaPredicate", "MediaReports", "MediaSandbox", "MediaSharding",
        "MediaSyntax", "MediaVerification", "MediaWatch", "MediaWeb", "MediaWorkerProtocol",
      ],
      path: "Sources/mediabatch",
      exclude: ["Program"],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "mediabatch-worker",
      dependencies: ["MediaModel", "MediaSandbox", "MediaWorker"],
      swiftSettings: strict,
      linkerSettings: programSettings
    ),

    // Foundations: Values, syntax, files, processes and their confinement, the chain of the log.
    module("MediaModel", in: .foundations, uses: []),
    module("MediaSyntax", in: .foundations, uses: ["MediaModel"]),
    module("MediaPredicate", in: .foundations, uses: ["MediaModel", "MediaSyntax"]),
    module("MediaDigest", in: .foundations, uses: ["CNettle", "CSHA256"]),
    module("MediaFileSystem", in: .foundations, uses: ["CFileSystem", "MediaModel"]),
    module("MediaWorkerProtocol", in: .foundations, uses: ["MediaModel"]),
    module("MediaSandbox", in: .foundations, uses: ["CSandbox", "MediaModel", "MediaWorkerProtocol"]),
    module(
      "MediaAudit",
      in: .foundations,
      uses: ["CHogweed", "MediaDigest", "MediaFileSystem", "MediaModel", "MediaSyntax"]
    ),
    pages("MediaPages", in: .foundations, files: "CPages", uses: ["MediaModel", "MediaSyntax"]),

    // Formats: What is in a media file, and what may stay in it; the worker, which alone reaches a decoder.
    module("MediaContainers", in: .formats, uses: ["CDeflate", "CZlib", "MediaModel"]),
    module("MediaCodecs", in: .formats, uses: ["MediaContainers", "MediaModel"]),
    module(
      "MediaMetadata",
      in: .formats,
      uses: ["CExif", "MediaCodecs", "MediaContainers", "MediaDigest", "MediaModel", "MediaSyntax"]
    ),
    module(
      "MediaStripping",
      in: .formats,
      uses: ["MediaCodecs", "MediaContainers", "MediaMetadata", "MediaModel"]
    ),
    module(
      "MediaImaging",
      in: .formats,
      uses: [
        "CAV", "CHEIF", "CJXL", "CLCMS2", "CMagickWand", "CRaw", "CTIFF", "CTurboJPEG", "CWebP",
        "CZimg", "MediaCodecs", "MediaContainers", "MediaModel",
      ]
    ),
    module(
      "MediaWorker",
      in: .formats,
      uses: [
        "MediaCodecs", "MediaContainers", "MediaDigest", "MediaImaging", "MediaMetadata",
        "MediaModel", "MediaSandbox", "MediaStripping", "MediaWorkerProtocol",
      ]
    ),

    // Gate: What a manifest asks for, what was decided, and the questions that a person is asked.
    module("MediaManifest", in: .gate, uses: ["MediaModel", "MediaPredicate", "MediaSyntax"]),
    module(
      "MediaPermissions",
      in: .gate,
      uses: [
        grdb, "MediaAudit", "MediaDigest", "MediaFileSystem", "MediaManifest", "MediaModel",
        "MediaSyntax",
      ]
    ),
    module("MediaPicking", in: .gate, uses: ["MediaFileSystem", "MediaModel", "MediaWorkerProtocol"]),

    // Library: The catalogue, what stands in it and in the log, and whether both are true.
    module(
      "MediaLibrary",
      in: .library,
      uses: [
        grdb, "CSQLite", "MediaDigest", "MediaFileSystem", "MediaManifest", "MediaModel",
        "MediaPredicate", "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaVerification",
      in: .library,
      uses: [
        "CTimestamp", "MediaAudit", "MediaDigest", "MediaFileSystem", "MediaLibrary", "MediaModel",
        "MediaSyntax",
      ]
    ),

    // Import: Where media comes from, who is asked, and how a run takes it into a library.
    module(
      "MediaWorkerPool",
      in: .import,
      uses: ["MediaFileSystem", "MediaModel", "MediaSandbox", "MediaWorkerProtocol"]
    ),
    module(
      "MediaListing",
      in: .import,
      uses: ["MediaDigest", "MediaFileSystem", "MediaModel", "MediaPredicate", "MediaSyntax"]
    ),
    module(
      "MediaPhotosLibrary",
      in: .import,
      uses: [
        grdb, "MediaFileSystem", "MediaListing", "MediaManifest", "MediaModel", "MediaSandbox",
        "MediaSyntax", "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaCameras",
      in: .import,
      uses: ["CGPhoto", "MediaFileSystem", "MediaModel", "MediaSandbox", "MediaWorkerProtocol"]
    ),
    module(
      "MediaConsent",
      in: .import,
      uses: [
        "MediaCameras", "MediaFileSystem", "MediaLibrary", "MediaListing", "MediaModel",
        "MediaPermissions", "MediaPhotosLibrary", "MediaPicking", "MediaSandbox", "MediaWorkerPool",
        "MediaWorkerProtocol",
      ]
    ),
    pages(
      "MediaWeb",
      in: .import,
      files: "CWeb",
      uses: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"), "MediaModel", "MediaPages",
        "MediaPicking", "MediaSandbox", "MediaSyntax", "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaSources",
      in: .import,
      uses: [
        grdb, "MediaAudit", "MediaCameras", "MediaDigest", "MediaFileSystem", "MediaLibrary",
        "MediaListing", "MediaManifest", "MediaModel", "MediaPermissions", "MediaPhotosLibrary",
        "MediaPredicate", "MediaWorkerPool", "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaPipeline",
      in: .import,
      uses: [
        "MediaAudit", "MediaConsent", "MediaDigest", "MediaFileSystem", "MediaLibrary",
        "MediaListing", "MediaManifest", "MediaModel", "MediaPermissions", "MediaPicking",
        "MediaPredicate", "MediaSandbox", "MediaSources", "MediaSyntax", "MediaVerification",
        "MediaWorkerPool", "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaMaintenance",
      in: .import,
      uses: [
        grdb, "MediaAudit", "MediaFileSystem", "MediaLibrary", "MediaModel", "MediaPipeline",
        "MediaSandbox", "MediaSources", "MediaVerification", "MediaWorkerPool",
        "MediaWorkerProtocol",
      ]
    ),
    module(
      "MediaSharding",
      in: .import,
      uses: [
        grdb, "MediaAudit", "MediaDigest", "MediaFileSystem", "MediaLibrary", "MediaListing",
        "MediaManifest", "MediaModel", "MediaPermissions", "MediaPipeline", "MediaSandbox",
        "MediaSyntax",
      ]
    ),
    module(
      "MediaWatch",
      in: .import,
      uses: [
        "MediaFileSystem", "MediaLibrary", "MediaManifest", "MediaModel", "MediaPipeline",
        "MediaSandbox", "MediaSyntax", "MediaWorkerPool", "MediaWorkerProtocol",
      ]
    ),

    // Sharing: What people and programs get to see of a library.
    pages(
      "MediaReports",
      in: .sharing,
      files: "CReports",
      uses: [
        grdb, "MediaAudit", "MediaDigest", "MediaFileSystem", "MediaLibrary", "MediaManifest", "MediaModel",
        "MediaPages", "MediaSyntax", "MediaVerification",
      ]
    ),
    pages(
      "MediaGallery",
      in: .sharing,
      files: "CGallery",
      uses: ["MediaModel", "MediaPages", "MediaSyntax"]
    ),
    module(
      "MediaExport",
      in: .sharing,
      uses: [
        "MediaDigest", "MediaFileSystem", "MediaGallery", "MediaLibrary", "MediaModel",
        "MediaPredicate", "MediaSandbox", "MediaSyntax", "MediaWorkerPool", "MediaWorkerProtocol",
      ]
    ),

    // What tests use.
    .target(name: "MediaTestSupport", path: "Tests/Support/MediaTestSupport", swiftSettings: strict),
    .target(
      name: "MediaLibraryTestSupport",
      dependencies: [
        "MediaDigest", "MediaFileSystem", "MediaLibrary", "MediaModel", "MediaTestSupport",
      ],
      path: "Tests/Support/MediaLibraryTestSupport",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "sandbox-probe",
      dependencies: ["COldKernel", "MediaModel", "MediaSandbox"],
      path: "Tests/Programs/sandbox-probe",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "consent-probe",
      dependencies: [
        "MediaConsent", "MediaFileSystem", "MediaManifest", "MediaModel", "MediaPermissions",
        "MediaPicking", "MediaSandbox", "MediaWeb", "MediaWorkerProtocol",
      ],
      path: "Tests/Programs/consent-probe",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "camera-probe",
      dependencies: ["MediaCameras", "MediaFileSystem", "MediaModel", "MediaSandbox"],
      path: "Tests/Programs/camera-probe",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "file-probe",
      dependencies: [
        "MediaCodecs", "MediaContainers", "MediaDigest", "MediaFileSystem", "MediaImaging",
        "MediaLibrary", "MediaMetadata", "MediaModel", "MediaStripping",
      ],
      path: "Tests/Programs/file-probe",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "lying-worker",
      dependencies: [
        "MediaDigest", "MediaFileSystem", "MediaModel", "MediaSandbox", "MediaWorkerProtocol",
      ],
      path: "Tests/Programs/lying-worker",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "metadata-fuzzer",
      dependencies: [
        "MediaCodecs", "MediaContainers", "MediaDigest", "MediaExport", "MediaFileSystem",
        "MediaListing", "MediaMetadata", "MediaModel", "MediaPhotosLibrary", "MediaSharding",
        "MediaStripping", "MediaSyntax", "MediaWorkerProtocol",
      ],
      path: "Tests/Programs/metadata-fuzzer",
      swiftSettings: strict
    ),
    tests(of: "MediaAudit", uses: ["MediaSyntax"]),
    tests(
      of: "MediaCameras",
      uses: ["MediaFileSystem", "MediaSandbox", "MediaWorkerProtocol", "camera-probe"],
      data: ["Fixtures"]
    ),
    tests(
      of: "MediaConsent",
      uses: [
        "MediaCameras", "MediaFileSystem", "MediaListing", "MediaManifest", "MediaPermissions",
        "MediaPhotosLibrary", "MediaPicking", "MediaSandbox", "MediaWorkerProtocol",
        "consent-probe",
      ]
    ),
    tests(of: "MediaDigest"),
    tests(of: "MediaFileSystem"),
    tests(of: "MediaImaging", uses: ["MediaCodecs", "MediaContainers"]),
    tests(
      of: "MediaExport",
      uses: [
        "MediaDigest", "MediaFileSystem", "MediaGallery", "MediaLibrary", "MediaLibraryTestSupport",
      ]
    ),
    tests(of: "MediaGallery"),
    tests(of: "MediaLibrary", uses: [grdb, "MediaFileSystem", "MediaLibraryTestSupport", "MediaPredicate"]),
    tests(of: "MediaListing", uses: ["MediaFileSystem", "MediaPredicate"]),
    tests(
      of: "MediaMaintenance",
      uses: [
        "MediaAudit", "MediaFileSystem", "MediaLibrary", "MediaLibraryTestSupport", "MediaPipeline",
        "MediaReports", "MediaVerification",
      ]
    ),
    tests(of: "MediaManifest", uses: ["MediaSyntax"], data: ["Cases"]),
    tests(of: "MediaMetadata", uses: ["MediaCodecs", "MediaContainers", "MediaStripping"]),
    tests(of: "MediaModel"),
    tests(of: "MediaPages", uses: ["MediaSyntax"]),
    tests(of: "MediaPermissions", uses: [grdb, "MediaManifest", "MediaSyntax"]),
    tests(
      of: "MediaPhotosLibrary",
      uses: [
        "MediaFileSystem", "MediaListing", "MediaManifest", "MediaSandbox", "MediaWorkerProtocol",
      ]
    ),
    tests(
      of: "MediaPipeline",
      uses: [
        "MediaAudit", "MediaDigest", "MediaFileSystem", "MediaLibrary", "MediaLibraryTestSupport",
        "MediaListing", "MediaManifest", "MediaPermissions", "MediaPredicate", "MediaSandbox",
        "MediaSources", "MediaWorkerPool", "MediaWorkerProtocol",
      ]
    ),
    tests(of: "MediaPredicate", uses: [grdb]),
    tests(of: "MediaReports", uses: ["MediaAudit", "MediaSyntax"], data: ["Snapshots"]),
    tests(of: "MediaSandbox", uses: ["MediaWorkerProtocol", "sandbox-probe"]),
    tests(of: "MediaSyntax"),
    tests(
      of: "MediaVerification",
      uses: ["MediaAudit", "MediaFileSystem", "MediaLibrary", "MediaLibraryTestSupport"]
    ),
    tests(of: "MediaSharding", uses: ["MediaDigest", "MediaFileSystem", "MediaListing", "MediaPipeline"]),
    tests(of: "MediaWatch", uses: ["MediaSyntax", "MediaWorkerProtocol"]),
    tests(of: "MediaWeb", uses: ["MediaManifest", "MediaPages", "MediaPicking", "MediaWorkerProtocol"]),
    tests(of: "MediaWorkerPool", uses: ["MediaFileSystem", "MediaSandbox", "MediaWorkerProtocol"]),
    tests(of: "MediaWorkerProtocol"),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "CInProcess", "MediaCommands", "MediaFileSystem", "MediaLibrary", "MediaModel",
        "MediaPermissions", "MediaSandbox", "MediaSyntax", "MediaTestSupport", "MediaVerification",
        "MediaWorker",
      ],
      exclude: ["Fixtures"],
      swiftSettings: testSettings,
      linkerSettings: [.unsafeFlags(inProcess.flatMap { ["-Xlinker", "--wrap=\($0)"] })]
    ),
    // What takes the place of processes and confinement in the tests that call commands in their own process.
    .target(name: "CInProcess", dependencies: ["CSandbox"], path: "Tests/Support/CInProcess"),

    // C: one module a library, each imported by one other.
    // What scripts/link-programs.py links into the programs of tests.
    .target(
      name: "CCameraOnLoopback",
      dependencies: ["CSandbox"],
      path: "Tests/Programs/CCameraOnLoopback"
    ),
    // Used by sandbox-probe alone.
    .target(name: "COldKernel", dependencies: ["CSandbox"], path: "Tests/Programs/COldKernel"),
    .target(name: "CSandbox", path: "Sources/C/CSandbox", linkerSettings: [.linkedLibrary("seccomp")]),
    .target(name: "CFileSystem", path: "Sources/C/CFileSystem"),
    .target(name: "CSHA256", path: "Sources/C/CSHA256"),
    // Loaded at the first file that needs them: see docs/decisions/0006.
    .target(name: "CAV", path: "Sources/C/CAV"),
    .target(name: "CGPhoto", path: "Sources/C/CGPhoto"),
    .target(name: "CHEIF", path: "Sources/C/CHEIF"),
    .target(name: "CJXL", path: "Sources/C/CJXL"),
    .target(name: "CRaw", path: "Sources/C/CRaw"),
    .target(name: "CTimestamp", path: "Sources/C/CTimestamp"),
    // Each embeds the folder Web of the module that imports it.
    files("CGallery"),
    files("CPages"),
    files("CReports"),
    files("CWeb"),
    .systemLibrary(
      name: "CDeflate",
      path: "Sources/C/CDeflate",
      pkgConfig: "libdeflate",
      providers: [.apt(["libdeflate-dev"])]
    ),
    .systemLibrary(
      name: "CExif",
      path: "Sources/C/CExif",
      pkgConfig: "libexif",
      providers: [.apt(["libexif-dev"])]
    ),
    .systemLibrary(
      name: "CHogweed",
      path: "Sources/C/CHogweed",
      pkgConfig: "hogweed",
      providers: [.apt(["nettle-dev"])]
    ),
    .systemLibrary(
      name: "CLCMS2",
      path: "Sources/C/CLCMS2",
      pkgConfig: "lcms2",
      providers: [.apt(["liblcms2-dev"])]
    ),
    .systemLibrary(
      name: "CMagickWand",
      path: "Sources/C/CMagickWand",
      pkgConfig: "MagickWand",
      providers: [.apt(["libmagickwand-dev"])]
    ),
    .systemLibrary(
      name: "CNettle",
      path: "Sources/C/CNettle",
      pkgConfig: "nettle",
      providers: [.apt(["nettle-dev"])]
    ),
    .systemLibrary(
      name: "CSQLite",
      path: "Sources/C/CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]
    ),
    .systemLibrary(
      name: "CTIFF",
      path: "Sources/C/CTIFF",
      pkgConfig: "libtiff-4",
      providers: [.apt(["libtiff-dev"])]
    ),
    .systemLibrary(
      name: "CTurboJPEG",
      path: "Sources/C/CTurboJPEG",
      pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"])]
    ),
    .systemLibrary(
      name: "CWebP",
      path: "Sources/C/CWebP",
      pkgConfig: "libwebp",
      providers: [.apt(["libwebp-dev"])]
    ),
    .systemLibrary(
      name: "CZimg",
      path: "Sources/C/CZimg",
      pkgConfig: "zimg",
      providers: [.apt(["libzimg-dev"])]
    ),
    .systemLibrary(
      name: "CZlib",
      path: "Sources/C/CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]
    ),
  ]
)

// scripts/build.sh builds all targets at once: without those of the tests the two programs are all there is.
if Context.environment["MEDIABATCH_BUILD"] == "release" {
  package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
}
