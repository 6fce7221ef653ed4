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
    // The name of one is taken: it stays, the others are renamed.
    let listing = job.expect(" ALTER GEN.*.BAKER NEWNAME(GEN.*.ABLE)\n", 8);
    for line in ["IDC0531I ENTRY GEN.A.BAKER ALTERED", "IDC0532I **ENTRY GEN.B.BAKER NOT ALTERED", "IDC0531I ENTRY GEN.C.BAKER ALTERED"] {
        assert!(listing.contains(line), "{line}: {listing}");
    }
    assert!(listing.contains("IDC3013I DUPLICATE DATA SET NAME") && !listing.contains("GEN.Z.BAKER"), "{listing}");
    let listing = job.expect(" LISTCAT NAME\n", 0);
    for name in ["GEN.A.ABLE", "GEN.B.BAKER", "GEN.C.ABLE", "GEN.C.X.BAKER"] {
        assert!(listing.contains(&format!("CLUSTER ------- {name}\n")), "{name}: {listing}");
    }
    // Components are entries too, and what is new may stand at another place.
    job.expect(" ALTER GEN.C.* NEWNAME(NEW.D.C.*)\n", 0);
    let listing = job.expect(" LISTCAT ENT(NEW.D.C.ABLE) ALL\n", 0);
    assert!(listing.contains("DATA-----NEW.D.C.D\n") && listing.contains("INDEX----NEW.D.C.I\n"), "{listing}");
}

#[test]
fn a_generic_name_alters_attributes_of_every_entry_or_says_why_not() {
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
    // Eight characters where one was make this one too long.
    let long = "L".repeat(8);
    let pattern = format!("{long}.{long}.{long}.{long}.*.MM");
    let listing = job.expect(&format!(" DEFINE CLUSTER (NAME(GEN.{long}.K) KEYS(1 0) RECSZ(9 9) TRK(1))\n ALTER GEN.*.K NEWNAME({pattern})\n"), 8);
    assert!(listing.contains(&format!("IDC0532I **ENTRY GEN.{long}.K NOT ALTERED")), "{listing}");
}
