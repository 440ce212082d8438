use cenotaph::plan::Plan;
#[test]
fn t() {
    for seed in 0..1000 {
        let p = Plan::from_seed("crash-without-drain", seed).unwrap();
        if seed < 3 { println!("{}", p.to_json()); 
        for s in &p.clients { for o in s { println!("{o}"); } } }
    }
}
