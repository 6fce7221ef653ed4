//! IDCAMS ALTER and DELETE of catalog entries: generic names, generation groups, retention, flat files.

mod idcams_support;

use idcams_support::Job;

const CLUSTERS: &str = "
  DEFINE CLUSTER (NAME(GEN.A.BAKER) KEYS(1 0) RECSZ(9 9) TRK(1)) DATA (NAME(GEN.A.D)) INDEX (NAME(GEN.A.I))
  DEFINE CLUSTER (NAME(GEN.B.BAKER) NIXD RECSZ(9 9) TRK(1)) DATA (NAME(GEN.B.D))
  DEFINE CLUSTER (NAME(GEN.C.BAKER) KEYS(1 0) RECSZ(9 9) TRK(1)) DATA (NAME(GEN.C.D)) INDEX (NAME(GEN.C.I))
  DEFINE CLUSTER (NAME(GEN.C.X.BAKER) KEYS(1 0) RECSZ(9 9) TRK(1))
  DEFINE ALIAS (NAME(GEN.Z.BAKER) RELATE(GEN.A.BAKER))
";

#[test]
fn a_generic_name_renames_every_entry_that_fits() {
    let job = Job::new();
    job.expect(CLUSTERS, 0);
    job.expect(" DEFINE CLUSTER (NAME(GEN.B.ABLE) NIXD RECSZ(9 9) TRK(1))\n", 0);
    // The new name of one entry is in use: that entry keeps its name, the others are renamed.
    let listing = job.expect(" ALTER GEN.*.BAKER NEWNAME(GEN.*.ABLE)\n", 8);
    for line in ["IDC0531I ENTRY GEN.A.BAKER ALTERED", "IDC0532I **ENTRY GEN.B.BAKER NOT ALTERED", "IDC0531I ENTRY GEN.C.BAKER ALTERED"] {
        assert!(listing.contains(line), "{line}: {listing}");
    }
    assert!(listing.contains("IDC3013I DUPLICATE DATA SET NAME") && !listing.contains("GEN.Z.BAKER"), "{listing}");
    let listing = job.expect(" LISTCAT NAME\n", 0);
    for name in ["GEN.A.ABLE", "GEN.B.BAKER", "GEN.C.ABLE", "GEN.C.X.BAKER"] {
        assert!(listing.contains(&format!("CLUSTER ------- {name}\n")), "{name}: {listing}");
    }
    // Components are entries too, and the new qualifier may be at another position.
    job.expect(" ALTER GEN.C.* NEWNAME(NEW.D.C.*)\n", 0);
    let listing = job.expect(" LISTCAT ENT(NEW.D.C.ABLE) ALL\n", 0);
    assert!(listing.contains("DATA-----NEW.D.C.D\n") && listing.contains("INDEX----NEW.D.C.I\n"), "{listing}");
}

#[test]
fn a_generic_alter_reports_the_result_for_each_entry() {
    let job = Job::new();
    job.expect(CLUSTERS, 0);
    job.expect(" DEFINE PATH (NAME(GEN.D.BAKER) PATHENTRY(GEN.A.BAKER))\n", 0);
    let listing = job.expect(" ALTER GEN.*.BAKER OWNER(EVE) ADDVOLUMES(VOL9)\n", 8);
    assert!(listing.contains("IDC3019I") && listing.contains("IDC0532I **ENTRY GEN.D.BAKER NOT ALTERED"), "{listing}");
    assert_eq!(listing.matches(" ALTERED").count() - listing.matches("NOT ALTERED").count(), 3, "{listing}");
    assert!(!listing.contains("IDC3202I"), "{listing}");
    for name in ["GEN.A.BAKER", "GEN.B.BAKER", "GEN.C.BAKER"] {
        assert!(job.expect(&format!(" LISTCAT ENT({name}) ALL\n"), 0).contains("-EVE "));
    }
    assert!(!job.expect(" LISTCAT ENT(GEN.C.X.BAKER) ALL\n", 0).contains("-EVE "));
    // A cluster and its components, which have its attributes.
    let listing = job.expect(" ALTER GEN.A.* ADDVOLUMES(VOL8)\n", 0);
    assert_eq!(listing.matches(" ALTERED").count(), 3, "{listing}");
    let entry = job.data_sets.catalog().get("GEN.A.BAKER").unwrap().unwrap();
    assert_eq!(entry.attributes().unwrap().volumes, ["VOL9", "VOL8"]);
}

#[test]
fn generic_names_of_other_forms_are_refused() {
    let job = Job::new();
    job.expect(CLUSTERS, 0);
    for (statement, item) in [
        (" ALTER GEN.*.* OWNER(EVE)", "GEN.*.*"),
        (" ALTER *.A.BAKER OWNER(EVE)", "*.A.BAKER"),
        (" ALTER GEN.A* OWNER(EVE)", "GEN.A*"),
        (" ALTER GEN.** OWNER(EVE)", "GEN.**"),
        (" ALTER GEN.*.BAKER NEWNAME(GEN.A.ABLE)", "GEN.A.ABLE"),
        (" ALTER GEN.A.BAKER NEWNAME(GEN.*.ABLE)", "GEN.*.ABLE"),
    ] {
        let listing = job.expect(&format!("{statement}\n"), 12);
        assert!(listing.contains(&format!("IDC3203I ITEM '{item}' DOES NOT ADHERE TO RESTRICTIONS")), "{listing}");
    }
    let listing = job.expect(" ALTER GEN.*.NONE OWNER(EVE)\n", 8);
    assert!(listing.contains("IDC3012I ENTRY GEN.*.NONE NOT FOUND"), "{listing}");
    assert!(job.expect(" ALTER GEN.*.BAKER COLOUR(RED)\n", 12).contains("IDC3211I KEYWORD 'COLOUR' IS IMPROPER"));
    // Eight characters in place of one make this name too long.
    let long = "L".repeat(8);
    let pattern = format!("{long}.{long}.{long}.{long}.*.MM");
    let listing =
        job.expect(&format!(" DEFINE CLUSTER (NAME(GEN.{long}.K) KEYS(1 0) RECSZ(9 9) TRK(1))\n ALTER GEN.*.K NEWNAME({pattern})\n"), 8);
    assert!(listing.contains(&format!("IDC0532I **ENTRY GEN.{long}.K NOT ALTERED")), "{listing}");
}

const GROUP: &str = "
  DEFINE GDG (NAME(PAY.LOG) LIMIT(5) ATTRIBUTES)
  DEFINE NVSAM (NAME(PAY.LOG.G0001V00) DEVT(3390) VOL(V1))
  DEFINE NVSAM (NAME(PAY.LOG.G0002V00) DEVT(3390) VOL(V1))
  DEFINE NVSAM (NAME(PAY.LOG.G0003V00) DEVT(3390) VOL(V1) FOR(9999))
  DEFINE NVSAM (NAME(PAY.LOG.G0004V00) DEVT(3390) VOL(V1))
";

/// A group of four generations with flat files, the third of which never expires.
fn group(attributes: &str) -> Job {
    let job = Job::new();
    (1..=4).for_each(|number| std::fs::write(job.path(&format!("PAY.LOG.G{number:04}V00")), "data").unwrap());
    job.expect(&GROUP.replace("ATTRIBUTES", attributes), 0);
    job
}

impl Job {
    /// Generations cataloged in the group, cataloged at all, and with a flat file.
    fn generations(&self) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
        let listing = self.expect(" LISTCAT ENT(PAY.LOG) ALL\n", 0);
        let numbered = |fits: &dyn Fn(&str) -> bool| (1..=9).filter(|number| fits(&format!("PAY.LOG.G{number:04}V00"))).collect();
        (
            numbered(&|name| listing.contains(&format!("NONVSAM--{name}"))),
            numbered(&|name| self.data_sets.catalog().get(name).unwrap().is_some()),
            numbered(&|name| self.path(name).is_file()),
        )
    }
}

#[test]
fn a_lower_limit_rolls_off_the_oldest_at_once() {
    // EMPTY does not matter here: it applies to a new generation.
    let job = group("SCRATCH EMPTY");
    let listing = job.expect(" ALTER PAY.LOG LIMIT(3)\n", 0);
    assert!(
        listing.contains("IDC0550I ENTRY (A) PAY.LOG.G0001V00 DELETED") && listing.contains("IDC0531I ENTRY PAY.LOG ALTERED"),
        "{listing}"
    );
    assert_eq!(job.generations(), (vec![2, 3, 4], vec![2, 3, 4], vec![2, 3, 4]));
    // A generation that has not expired is not scratched, unless the group says PURGE.
    let listing = job.expect(" ALTER PAY.LOG LIMIT(1)\n", 0);
    assert!(listing.contains("IDC0531I ENTRY PAY.LOG.G0003V00 ALTERED: ROLLED OFF AND RECATALOGED"), "{listing}");
    assert_eq!(job.generations(), (vec![4], vec![3, 4], vec![3, 4]));
    assert!(job.expect(" LISTCAT ENT(PAY.LOG.G0003V00) ALL\n", 0).contains("STATUS--------ROLLED-OFF"));
    assert!(job.expect(" LISTCAT ENT(PAY.LOG.G0004V00) ALL\n", 0).contains("STATUS------------ACTIVE"));
    // A higher one brings nothing back.
    job.expect(" ALTER PAY.LOG LIMIT(5)\n", 0);
    assert_eq!(job.generations().0, [4]);

    let job = group("SCRATCH PURGE");
    job.expect(" ALTER PAY.LOG LIMIT(1)\n", 0);
    assert_eq!(job.generations(), (vec![4], vec![4], vec![4]));

    let job = group("NOSCRATCH");
    job.expect(" ALTER PAY.LOG LIMIT(2)\n", 0);
    assert_eq!(job.generations(), (vec![3, 4], vec![1, 2, 3, 4], vec![1, 2, 3, 4]));
    // SCRATCH and LIMIT of one command go together.
    job.expect(" ALTER PAY.LOG SCRATCH PURGE LIMIT(1)\n", 0);
    assert_eq!(job.generations(), (vec![4], vec![1, 2, 4], vec![1, 2, 4]));
}

#[test]
fn a_new_generation_scratches_the_file_of_the_one_that_rolls_off() {
    let job = group("SCRATCH");
    job.expect(" ALTER PAY.LOG LIMIT(4)\n DEFINE NVSAM (NAME(PAY.LOG.G0005V00) DEVT(3390) VOL(V1))\n", 0);
    assert_eq!(job.generations(), (vec![2, 3, 4, 5], vec![2, 3, 4, 5], vec![2, 3, 4]));
}

#[test]
fn rollin_brings_a_generation_into_its_group() {
    let job = group("NOSCRATCH");
    job.expect(" ALTER PAY.LOG LIMIT(2)\n", 0);
    assert_eq!(job.generations().0, [3, 4]);
    // Older than all of a full group.
    let listing = job.expect(" ALTER PAY.LOG.G0002V00 ROLLIN\n", 8);
    assert!(listing.contains("IDC3302I ACTION ERROR ON PAY.LOG.G0002V00: NOT ROLLED IN, THE GROUP IS FULL"), "{listing}");
    // If there is room it takes its place by its number, and can be addressed by a relative name.
    let listing = job.expect(" ALTER PAY.LOG LIMIT(3)\n ALTER PAY.LOG.G0002V00 ROLLIN\n", 0);
    assert!(listing.contains("IDC0531I ENTRY PAY.LOG.G0002V00 ALTERED"), "{listing}");
    assert_eq!(job.generations().0, [2, 3, 4]);
    assert_eq!(job.data_sets.generation("PAY.LOG", -2).unwrap(), "PAY.LOG.G0002V00");
    job.expect(" ALTER PAY.LOG.G0002V00 ROLLIN\n", 8);
    // A file that no step's end has cataloged is a deferred generation. Rolled in, it rolls off the oldest.
    std::fs::write(job.path("PAY.LOG.G0005V00"), "data").unwrap();
    let listing = job.expect(" ALTER PAY.LOG.G0005V00 ROL\n", 0);
    assert!(listing.contains("IDC0531I ENTRY PAY.LOG.G0002V00 ALTERED: ROLLED OFF AND RECATALOGED"), "{listing}");
    assert_eq!(job.generations(), (vec![3, 4, 5], vec![1, 2, 3, 4, 5], vec![1, 2, 3, 4, 5]));
    for name in ["PAY.LOG.G0006V00", "PAY.LOG", "PAY.OTHER.G0001V00"] {
        job.expect(&format!(" ALTER {name} ROLLIN\n"), 8);
    }
    // A redefined group knows none of its generations: they are deferred until they are rolled in, in any order.
    job.expect(" DELETE PAY.LOG GDG RECOVERY\n DEFINE GDG (NAME(PAY.LOG) LIMIT(3) EMPTY)\n", 0);
    assert!(job.expect(" LISTCAT ENT(PAY.LOG.G0004V00) ALL\n", 0).contains("STATUS----------DEFERRED"));
    job.expect(" ALTER PAY.LOG.G0004V00 ROLLIN\n ALTER PAY.LOG.G0002V00 ROLLIN\n ALTER PAY.LOG.G0003V00 ROLLIN\n", 0);
    assert_eq!(job.generations().0, [2, 3, 4]);
    assert_eq!(job.data_sets.generation("PAY.LOG", 0).unwrap(), "PAY.LOG.G0004V00");
    // EMPTY: all others roll off.
    job.expect(" ALTER PAY.LOG.G0005V00 ROLLIN\n", 0);
    assert_eq!(job.generations().0, [5]);
}

#[test]
fn one_version_of_a_generation_is_kept_and_numbers_give_the_order() {
    let job = group("SCRATCH");
    job.expect(" ALTER PAY.LOG LIMIT(4)\n", 0);
    // Another version of the second replaces it; nothing else rolls off.
    let listing = job.expect(" DEFINE NVSAM (NAME(PAY.LOG.G0002V01) DEVT(3390) VOL(V1))\n", 0);
    assert!(listing.contains("IDC0550I ENTRY (A) PAY.LOG.G0002V00 DELETED"), "{listing}");
    assert_eq!(job.generations(), (vec![1, 3, 4], vec![1, 3, 4], vec![1, 3, 4]));
    assert_eq!(job.data_sets.generation("PAY.LOG", -2).unwrap(), "PAY.LOG.G0002V01");
    // A renamed generation moves to the place of its number.
    job.expect(" ALTER PAY.LOG.G0001V00 NEWNAME(PAY.LOG.G0007V00)\n", 0);
    assert_eq!(job.data_sets.generation("PAY.LOG", 0).unwrap(), "PAY.LOG.G0007V00");
    assert_eq!(job.data_sets.absolute_name("PAY.LOG(+1)").unwrap(), "PAY.LOG.G0008V00");
    // One older than all of a full group is cataloged outside of it, and never scratched for that.
    let listing = job.expect(" DEFINE NVSAM (NAME(PAY.LOG.G0001V00) DEVT(3390) VOL(V1))\n", 0);
    assert!(listing.contains("IDC0531I ENTRY PAY.LOG.G0001V00 ALTERED: ROLLED OFF AND RECATALOGED"), "{listing}");
    assert_eq!(job.generations().0, [3, 4, 7]);
    assert!(job.data_sets.catalog().get("PAY.LOG.G0001V00").unwrap().is_some());
}

#[test]
fn a_new_name_takes_the_flat_file_along() {
    let job = group("SCRATCH");
    job.expect(" ALTER PAY.LOG.G0001V00 NEWNAME(PAY.FIRST)\n", 0);
    assert!(job.path("PAY.FIRST").is_file());
    assert_eq!(job.generations(), (vec![2, 3, 4], vec![2, 3, 4], vec![2, 3, 4]));
    // A generation added to a full group rolls off the oldest, with its file.
    job.expect(" ALTER PAY.LOG LIMIT(3)\n", 0);
    let listing = job.expect(" ALTER PAY.FIRST NEWNAME(PAY.LOG.G0005V00)\n", 0);
    assert!(listing.contains("IDC0550I ENTRY (A) PAY.LOG.G0002V00 DELETED"), "{listing}");
    assert_eq!(job.generations(), (vec![3, 4, 5], vec![3, 4, 5], vec![3, 4, 5]));
    // A file of the same name leaves everything unchanged.
    std::fs::write(job.path("PAY.TAKEN"), "other").unwrap();
    let listing = job.expect(" ALTER PAY.LOG.G0004V00 NEWNAME(PAY.TAKEN)\n", 8);
    assert!(listing.contains("IDC3302I ACTION ERROR") && listing.contains("IDC0532I **ENTRY PAY.LOG.G0004V00 NOT ALTERED"), "{listing}");
    assert_eq!(job.generations().2, [3, 4, 5]);
    assert_eq!(std::fs::read(job.path("PAY.TAKEN")).unwrap(), b"other");
}

#[test]
fn a_group_is_deleted_with_its_generations_or_without() {
    let job = group("SCRATCH");
    assert!(job.expect(" DELETE PAY.LOG GDG\n", 8).contains("IDC0551I ** ENTRY PAY.LOG NOT DELETED"));
    // The third generation has not expired.
    let listing = job.expect(" DELETE PAY.LOG GDG FORCE\n", 8);
    assert!(listing.contains("IDC0551I ** ENTRY PAY.LOG.G0003V00 NOT DELETED"), "{listing}");
    assert_eq!(job.generations(), (vec![3], vec![3], vec![3]));
    job.expect(" DELETE PAY.LOG GDG FORCE PURGE\n", 0);
    assert!(job.data_sets.catalog().get("PAY.LOG.G0003V00").unwrap().is_none() && !job.path("PAY.LOG.G0003V00").exists());

    let job = group("SCRATCH");
    job.expect(" DELETE PAY.LOG GDG RECOVERY\n", 0);
    assert!(job.data_sets.catalog().get("PAY.LOG").unwrap().is_none());
    assert!((1..=4).all(|number| job.path(&format!("PAY.LOG.G{number:04}V00")).is_file()));
}

#[test]
fn entries_that_never_expire_need_purge() {
    let job = Job::new();
    for retention in ["TO(99365)", "TO(99366)", "TO(1999365)", "TO(1999366)", "FOR(9999)", "TO(2155365)"] {
        for (definition, kind) in [
            ("CLUSTER (NAME(K.X) KEYS(1 0) RECSZ(9 9) TRK(1) RETENTION)", "CLUSTER"),
            ("NONVSAM (NAME(K.X) DEVT(3390) VOL(V1) RETENTION)", "NONVSAM"),
            ("GDG (NAME(K.X) LIMIT(3) RETENTION)", "GDG"),
            ("PATH (NAME(K.X) PENT(K.BASE) RETENTION)", "PATH"),
        ] {
            job.expect(" DEFINE CLUSTER (NAME(K.BASE) KEYS(1 0) RECSZ(9 9) TRK(1))\n", 0);
            job.expect(&format!(" DEFINE {}\n", definition.replace("RETENTION", retention)), 0);
            let listing = job.expect(&format!(" DELETE K.X {kind}\n"), 8);
            assert!(listing.contains("IDC3023I UNEXPIRED PURGE DATE\nIDC3009I ** VSAM CATALOG RETURN CODE IS 84"), "{listing}");
            assert!(listing.contains("IDC0551I ** ENTRY K.X NOT DELETED"), "{listing}");
            let expires = if retention.contains("366") {
                "1999.366"
            } else if retention.contains("2155") {
                "2155.365"
            } else {
                "1999.365"
            };
            assert!(job.expect(" LISTCAT ENT(K.X) ALL\n", 0).contains(&format!("EXPIRATION------{expires}")), "{definition}");
            job.expect(&format!(" DELETE K.X {kind} PURGE\n DELETE K.BASE\n"), 0);
        }
    }
    // Past dates are stored but protect nothing; nonexistent days are refused.
    job.expect(" DEFINE CLUSTER (NAME(K.X) KEYS(1 0) RECSZ(9 9) TRK(1) TO(99364))\n DELETE K.X\n", 0);
    for wrong in ["TO(99999)", "TO(99367)", "TO(2001366)", "FOR(93001)"] {
        let listing = job.expect(&format!(" DEFINE CLUSTER (NAME(K.X) KEYS(1 0) RECSZ(9 9) TRK(1) {wrong})\n"), 12);
        assert!(listing.contains("IDC3203I ITEM"), "{listing}");
    }
    // ALTER gives and takes the date.
    job.expect(" DEFINE NONVSAM (NAME(K.X) DEVT(3390) VOL(V1))\n ALTER K.X FOR(9999)\n DELETE K.X\n", 8);
    job.expect(" ALTER K.X NULLIFY(RETENTION)\n DELETE K.X\n", 0);
}

#[test]
fn delete_scratches_the_flat_file_unless_told_not_to() {
    let job = Job::new();
    let define = |name: &str| {
        std::fs::write(job.path(name), "data").unwrap();
        job.expect(&format!(" DEFINE NONVSAM (NAME({name}) DEVT(3390) VOL(V1))\n"), 0);
    };
    define("FLAT.A");
    assert!(job.expect(" DELETE FLAT.A\n", 0).contains("IDC0550I ENTRY (A) FLAT.A DELETED"));
    assert!(!job.path("FLAT.A").exists());
    define("FLAT.A");
    job.expect(" DELETE FLAT.A NONVSAM NOSCRATCH\n", 0);
    assert!(job.path("FLAT.A").is_file() && job.data_sets.catalog().get("FLAT.A").unwrap().is_none());
    // An entry that does not go keeps its file: of another type, or not expired.
    define("FLAT.B");
    job.expect(" DELETE FLAT.B CLUSTER\n ALTER FLAT.B FOR(9)\n DELETE FLAT.B\n", 8);
    assert!(job.path("FLAT.B").is_file());
    // A file that cannot be removed keeps its entry.
    std::fs::remove_file(job.path("FLAT.B")).unwrap();
    std::fs::create_dir(job.path("FLAT.B")).unwrap();
    let listing = job.expect(" DELETE FLAT.B PURGE\n", 8);
    assert!(listing.contains("IDC3302I ACTION ERROR ON FLAT.B") && listing.contains("IDC0551I ** ENTRY FLAT.B NOT DELETED"), "{listing}");
    // A missing one does not matter.
    std::fs::remove_dir(job.path("FLAT.B")).unwrap();
    job.expect(" DELETE FLAT.B PURGE\n", 0);
}

#[test]
fn a_group_has_its_limits() {
    let job = Job::new();
    for (attributes, code) in [
        ("LIMIT(1)", 0),
        ("LIMIT(255)", 0),
        ("LIMIT(256)", 12),
        ("LIMIT(0)", 12),
        ("LIMIT(999) EXTENDED", 0),
        ("LIMIT(1000) EXT", 12),
        ("LIMIT(5) EMPTY NOEMPTY", 12),
        ("LIMIT(5) FIFO LIFO", 12),
        ("LIMIT(5) SCRATCH NSCR", 12),
    ] {
        job.expect(&format!(" DEFINE GDG (NAME(LIM.IT) {attributes})\n IF LASTCC = 0 THEN DELETE LIM.IT\n"), code);
    }
    assert!(job.expect(" DEFINE GDG (NAME(LIM.IT))\n", 12).contains("IDC3212I REQUIRED PARAMETER 'LIMIT' IS MISSING"));
    // 35 characters and .GnnnnVnn are 44.
    let name = |length: usize| "A2345678.".repeat(4)[..length].to_string();
    job.expect(&format!(" DEFINE GDG (NAME({}) LIMIT(1))\n", name(35)), 0);
    job.expect(&format!(" DEFINE GDG (NAME({}B) LIMIT(1))\n", name(35)), 12);
    // EXTENDED stays with the group, whatever its limit is now.
    job.expect(" DEFINE GDG (NAME(EXT.A) LIMIT(300) EXTENDED)\n ALTER EXT.A LIMIT(5)\n", 0);
    assert!(job.expect(" LISTCAT ENT(EXT.A) ALL\n", 0).contains("LIFO     EXTENDED"));
    job.expect(" ALTER EXT.A LIMIT(999)\n", 0);
    job.expect(" ALTER EXT.A LIMIT(1000)\n", 12);
    job.expect(" ALTER EXT.A EMPTY NEMP\n", 12);
    job.expect(" DEFINE GDG (NAME(EXT.B) LIMIT(5) NOEXTENDED)\n ALTER EXT.B LIMIT(256)\n", 12);
    assert!(job.expect(" LISTCAT ENT(EXT.B) ALL\n", 0).contains("LIFO     NOEXTENDED"));
}

#[test]
fn a_log_stream_has_the_name_of_one() {
    let job = Job::new();
    let define = |stream: &str| format!(" DEFINE CLUSTER (NAME(LS.A) KEYS(1 0) RECSZ(9 9) TRK(1) LOG(ALL) LOGSTREAMID({stream}))\n");
    for stream in ["'../../TMP/X'", "'A/B'", "../X", "QUALIFIER9", "A..B", "X'00'", "AAAAAAAA.BBBBBBBB.CCCCCCCC1"] {
        let listing = job.expect(&define(stream), 12);
        assert!(listing.contains("IDC3203I") && listing.contains("LOGSTREAMID"), "{stream}: {listing}");
    }
    job.expect(&define("SHOP.LOG#1"), 0);
    let listing = job.expect(" ALTER LS.A LOGSTREAMID('../X')\n", 12);
    assert!(listing.contains("IDC3203I"), "{listing}");
    assert!(job.expect(" LISTCAT ENT(LS.A) ALL\n", 0).contains("SHOP.LOG#1"));
}
